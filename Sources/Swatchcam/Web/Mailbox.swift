import FlyingFox
import Foundation
import Synchronization

/// What waits to be sent to one client: at most one reading, one pong, one ping and a close.
///
/// Nothing queues: a newer reading replaces one that has not gone out. One task sends, and calls `next`.
final class Mailbox: Sendable {
    private enum Phase {
        case open
        case closing(WSFrame)
        case closed
    }

    private enum Outcome {
        case frame(WSFrame)
        case end
        case nothing
    }

    private struct State {
        var data: WSFrame?
        var pong: WSFrame?
        var isPingDue = false
        /// Since the last pong.
        var pings = 0
        var phase = Phase.open
        var waiter: CheckedContinuation<WSFrame?, Never>?

        mutating func take() -> Outcome {
            switch phase {
            case .closed:
                return .end
            case .closing(let frame):
                phase = .closed
                return .frame(frame)
            case .open:
                break
            }
            if let frame = pong {
                pong = nil
                return .frame(frame)
            }
            if isPingDue {
                isPingDue = false
                return .frame(.ping)
            }
            if let frame = data {
                data = nil
                return .frame(frame)
            }
            return .nothing
        }
    }

    /// Without a pong. Pings are 15 s apart.
    private static let mostPings = 2

    private let state: Mutex<State>

    /// - Parameter first: sent before anything else, such as the newest reading.
    init(first: WSFrame? = nil) {
        state = Mutex(State(data: first))
    }

    /// Puts a data frame in place of one that still waits.
    func offer(_ frame: WSFrame) { update { $0.data = frame } }

    /// Answers a ping; the newest wins.
    func pong(_ payload: Data) {
        update { $0.pong = WSFrame(fin: true, opcode: .pong, mask: nil, payload: payload) }
    }

    /// Asks the client for a sign of life; one that gave none when it was asked before is gone.
    func ping() {
        update { state in
            state.pings += 1
            state.isPingDue = true
            if state.pings > Self.mostPings { state.phase = .closed }
        }
    }

    /// The client gave a sign of life.
    func pongCame() { update { $0.pings = 0 } }

    /// Sends a close frame next, and nothing after it. The first close counts.
    func close(_ frame: WSFrame) {
        update {
            guard case .open = $0.phase else { return }
            $0.phase = .closing(frame)
        }
    }

    /// Ends at once: the client has gone.
    func finish() { update { $0.phase = .closed } }

    /// The next frame to send, as soon as there is one; nil when nothing will follow, or the task was cancelled.
    func next() async -> WSFrame? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (waiter, frame): (CheckedContinuation<WSFrame?, Never>?, WSFrame?) = state.withLock { state in
                    switch state.take() {
                    case .frame(let frame): return (continuation, frame)
                    case .end: return (continuation, nil)
                    case .nothing:
                        // One task sends; were there ever two, the earlier one stops.
                        defer { state.waiter = continuation }
                        return (state.waiter, nil)
                    }
                }
                waiter?.resume(returning: frame)
            }
        } onCancel: {
            finish()
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let (waiter, frame): (CheckedContinuation<WSFrame?, Never>?, WSFrame?) = state.withLock { state in
            change(&state)
            guard let waiter = state.waiter else { return (nil, nil) }
            switch state.take() {
            case .nothing: return (nil, nil)
            case .frame(let frame):
                state.waiter = nil
                return (waiter, frame)
            case .end:
                state.waiter = nil
                return (waiter, nil)
            }
        }
        waiter?.resume(returning: frame)
    }
}
