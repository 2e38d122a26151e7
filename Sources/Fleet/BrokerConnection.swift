import Configuration
import Handoff
import State
import Synchronization

/// What a connection exchanges with the rest of the program. Its functions are called on the thread of the connection.
struct BrokerTraffic: Sendable {
    /// The broker has accepted the client: the version of the library.
    var connected: @Sendable (String) -> Void
    /// Returns the newest state; nil until there is a reading.
    var state: @Sendable () -> StateMessage?
    /// The events that are yet to be sent.
    var events: EventQueue
    /// Whether the configuration now names other topics or another broker.
    var isMoving: @Sendable () -> Bool
    /// Returns what the broker is to keep.
    var retained: @Sendable () -> [RetainedMessage]
    /// A command was received: its name, and its payload.
    var command: @Sendable (Substring, ReceivedMessage) -> Void
    /// Whether somebody wants to know about other instances.
    var wantsMembers: @Sendable () -> Bool
    /// A message about an instance was received: its topic below the root.
    var member: @Sendable (Substring, ReceivedMessage) -> Void
    /// The broker refuses a subscription to this topic.
    var refused: @Sendable (String) -> Void
    /// The broker sends more messages than are read.
    var flooded: @Sendable () -> Void
}

/// An attempt to connect to a broker, and the connection that results, on a thread of its own.
///
/// Until there is a connection, the system's resolver or a disk may block the thread for any length of time. If it is
/// stopped then, it is abandoned: it ends by itself, and nothing waits for it.
final class BrokerConnection: Sendable {
    /// How a connection ended.
    enum End: Equatable {
        /// It was stopped, or it was only an attempt and has succeeded.
        case done
        /// It failed: why, and for how many seconds the broker had accepted the client; nil if it had not.
        case failed(BrokerFailure, after: Double?)
    }

    struct Stopped: Error {}

    struct State {
        /// Whether the thread may be blocked, and by the resolver.
        var isBlocked = true
        var isLookingUp = true
        var isStopped = false
        var waiter: CheckedContinuation<End, Never>?

        mutating func takeWaiter() -> CheckedContinuation<End, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    /// The maximum number of threads, most of them abandoned.
    private static let maxThreads = 8
    private static let threads = Atomic(0)

    let settings: BrokerSettings
    let traffic: BrokerTraffic?
    let waker: Waker
    let state = Mutex(State())

    /// - Parameter traffic: Nil for an attempt that ends when the broker has accepted the client.
    init(_ settings: BrokerSettings, traffic: BrokerTraffic?) throws(HandoffError) {
        (self.settings, self.traffic) = (settings, traffic)
        waker = try Waker()
    }

    /// Whether the thread has been waiting for the resolver only.
    var isLookingUp: Bool { state.withLock { $0.isLookingUp } }

    /// Ends a wait of the connection, because there is something to send.
    func wake() {
        if state.withLock({ !$0.isBlocked }) { waker.wake() }
    }

    /// Connects, and serves the connection until it fails or the task is cancelled.
    func run() async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isStopped = state.withLock { state in
                    if !state.isStopped { state.waiter = waiter }
                    return state.isStopped
                }
                if isStopped { waiter.resume(returning: .done) } else { start() }
            }
        } onCancel: {
            let abandoned = state.withLock { state in
                state.isStopped = true
                return state.isBlocked ? state.takeWaiter() : nil
            }
            waker.wake()
            abandoned?.resume(returning: .done)
        }
    }

    private func start() {
        guard Self.threads.add(1, ordering: .relaxed).newValue <= Self.maxThreads else {
            Self.threads.subtract(1, ordering: .relaxed)
            // The resolver has not answered for minutes.
            return end(.failed(.noNameServer(settings.host, nil), after: nil))
        }
        do throws(HandoffError) {
            try BlockingThread.start(named: "broker") {
                self.end(self.connect())
            } completion: {
                Self.threads.subtract(1, ordering: .relaxed)
            }
        } catch {
            Self.threads.subtract(1, ordering: .relaxed)
            end(.failed(.noThread(error.description), after: nil))
        }
    }

    private func end(_ end: End) {
        state.withLock { $0.takeWaiter() }?.resume(returning: end)
    }

    private func connect() -> End {
        do {
            var client = try open()
            // From here on, a stop waits for this thread, which no longer blocks.
            let isStopped = state.withLock { state in
                state.isBlocked = false
                return state.isStopped
            }
            return isStopped ? .done : serve(&client)
        } catch let failure as BrokerFailure {
            return .failed(failure, after: nil)
        } catch {
            return .done
        }
    }
}
