import FlyingFox
import Foundation
import Synchronization

/// What waits to be sent to one client: at most one reading, one pong, one ping and a close.
///
/// Nothing queues: a newer reading replaces one that has not gone out. One task sends, and calls `next`.
final class Outbox: Sendable {
    private typealias Waiter = UnsafeContinuation<WSFrame?, Never>

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

    @safe private struct State {
        var data: WSFrame?
        var pong: WSFrame?
        var isPingDue = false
        /// Since the last pong.
        var pings = 0
        var phase = Phase.open
        /// Resumed by whoever takes it out of here, under the lock, and so once.
        var waiter: Waiter?
        /// Where messages may go directly; nil: nowhere.
        var socket: DirectSocket?

        init(data: WSFrame?) {
            self.data = data
        }

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

    /// Whose client it is; nil: one without a session.
    let session: SessionStore.ID?
    private let state: Mutex<State>

    /// - Parameter first: sent before anything else, such as the newest reading.
    init(first: WSFrame? = nil, session: SessionStore.ID? = nil) {
        self.session = session
        state = Mutex(State(data: first))
    }

    /// Whether the client has got everything that there is.
    var isWaiting: Bool { state.withLock { unsafe $0.waiter != nil } }

    /// Lets messages go to the socket directly while nothing else is being sent.
    func attach(_ socket: DirectSocket?) { state.withLock { $0.socket = socket } }

    /// Sends a message, or puts it in place of one that still waits.
    func offer(_ message: TextFrame) {
        let (waiter, frame): (Waiter?, WSFrame?) = unsafe state.withLock { state in
            // Who waits has seen everything else that there is, and holds the connection open as long as it waits.
            guard let waiter = unsafe state.waiter else {
                state.data = message.frame
                return (nil, nil)
            }
            switch state.socket?.send(message.bytes) {
            case .sent:
                return (nil, nil)
            case .refused, nil:
                unsafe state.waiter = nil
                return unsafe (waiter, message.frame)
            case .torn:
                state.socket?.shutdown()
                state.phase = .closed
                unsafe state.waiter = nil
                return unsafe (waiter, nil)
            }
        }
        unsafe waiter?.resume(returning: frame)
    }

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

    /// The next frame to send, as soon as there is one; nil when nothing will follow. Cancellation does not end the
    /// wait: `finish` does.
    ///
    /// Thousands of clients wait here several times a second, so nothing is registered or allocated for it.
    func next() async -> WSFrame? {
        unsafe await withUnsafeContinuation { continuation in
            let (waiter, frame): (Waiter?, WSFrame?) = unsafe state.withLock { state in
                switch state.take() {
                case .frame(let frame): return unsafe (continuation, frame)
                case .end: return unsafe (continuation, nil)
                case .nothing:
                    // One task sends; were there ever two, the earlier one stops.
                    defer { unsafe state.waiter = continuation }
                    return unsafe (state.waiter, nil)
                }
            }
            unsafe waiter?.resume(returning: frame)
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let (waiter, frame): (Waiter?, WSFrame?) = unsafe state.withLock { state in
            change(&state)
            guard let waiter = unsafe state.waiter else { return (nil, nil) }
            switch state.take() {
            case .nothing: return (nil, nil)
            case .frame(let frame):
                unsafe state.waiter = nil
                return unsafe (waiter, frame)
            case .end:
                unsafe state.waiter = nil
                return unsafe (waiter, nil)
            }
        }
        unsafe waiter?.resume(returning: frame)
    }
}
