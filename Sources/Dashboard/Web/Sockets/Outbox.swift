import CLinux
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import Synchronization

/// The frames to send to one client: at most one reading or picture, one pong, one ping and a close frame.
///
/// Nothing queues: a newer reading replaces one that was not sent. No call waits for the client: a message is written
/// at once without blocking, or left for the one task that calls `next` and sends.
final class Outbox: Sendable {
    private typealias Waiter = UnsafeContinuation<WSFrame?, Never>

    private enum Phase {
        case open
        case closing(WSFrame)
        case closed
    }

    private enum Outcome {
        /// The next frame; nil if none will follow.
        case frame(WSFrame?)
        case nothing
    }

    @safe private struct State {
        var data: WSFrame?
        var pong: WSFrame?
        var isPingDue = false
        /// The pings since the last pong.
        var pings = 0
        var phase = Phase.open
        /// The task that waits for a frame. Code that takes it from here under the lock resumes it, so it is resumed once.
        var waiter: Waiter?
        var socket: DirectSocket?
        var room: MessageRoom?

        init(data: WSFrame?) {
            self.data = data
        }

        mutating func take() -> Outcome {
            switch phase {
            case .closed:
                return .frame(nil)
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

    /// The maximum number of pings without a pong. Pings are 15 s apart.
    private static let maxPings = 2

    let session: SessionStore.ID?
    private let state: Mutex<State>

    /// - Parameter first: The first frame to send, such as the newest reading.
    init(first: WSFrame? = nil, session: SessionStore.ID? = nil) {
        self.session = session
        state = Mutex(State(data: first))
    }

    /// Whether the task that sends has sent everything, and waits for more.
    var isWaiting: Bool { state.withLock { unsafe $0.waiter != nil } }

    /// Allows direct writes to the socket while nothing else is being sent.
    /// - Parameter room: The room that messages have; nil if they are short.
    /// - Returns: Whether there is room for the first frame.
    @discardableResult
    func attach(_ socket: DirectSocket?, _ room: MessageRoom? = nil) -> Bool {
        let first = state.withLock { state in
            (state.socket, state.room) = (socket, room)
            return state.data?.payload.count ?? 0
        }
        return room?.hold(first) ?? true
    }

    /// Sends a message, or replaces one that was not sent yet. Without room for it, it closes the connection.
    func offer(_ message: TextFrame) {
        let size = message.frame.payload.count
        if size > MessageRoom.freeSize, let room = state.withLock(\.room), !room.hold(size) {
            return close(.close(code: WSCloseCode(1013, reason: "too many long readings")))
        }
        let (waiter, frame): (Waiter?, WSFrame?) = unsafe state.withLock { state in
            // A waiting task has sent everything else, and keeps the connection open while it waits.
            guard let waiter = unsafe state.waiter else {
                state.data = message.frame
                return (nil, nil)
            }
            switch message.bytes.flatMap({ state.socket?.send($0) }) {
            case .sent:
                return (nil, nil)
            case .refused, nil:
                unsafe state.waiter = nil
                return unsafe (waiter, message.frame)
            case .partial:
                state.socket?.shutdown()
                state.phase = .closed
                unsafe state.waiter = nil
                return unsafe (waiter, nil)
            }
        }
        unsafe waiter?.resume(returning: frame)
    }

    /// Sends a frame for this client alone, or replaces one that was not sent yet.
    func offer(_ frame: WSFrame) { update { $0.data = frame } }

    /// Answers a ping. The newest one wins.
    func pong(_ payload: Data) {
        update { $0.pong = WSFrame(fin: true, opcode: .pong, mask: nil, payload: payload) }
    }

    /// Sends a ping, or ends the outbox if the client has left the last two pings unanswered.
    func ping() {
        update { state in
            state.pings += 1
            state.isPingDue = true
            if state.pings > Self.maxPings { state.phase = .closed }
        }
    }

    func pongArrived() { update { $0.pings = 0 } }

    /// Sends a close frame next, and nothing after it. Only the first close counts.
    func close(_ frame: WSFrame) {
        update {
            guard case .open = $0.phase else { return }
            ($0.phase, $0.data) = (.closing(frame), nil)
        }
    }

    /// Ends the outbox immediately and without a close frame, because the client is gone.
    func abort() { update { $0.phase = .closed } }

    /// Waits for the next frame to send; nil if none will follow. `abort` ends the wait, but cancellation does not.
    ///
    /// Thousands of clients wait here several times a second, so the wait must register and allocate nothing.
    func next() async -> WSFrame? {
        unsafe await withUnsafeContinuation { continuation in
            let (waiter, frame): (Waiter?, WSFrame?) = unsafe state.withLock { state in
                switch state.take() {
                case .frame(let frame): return unsafe (continuation, frame)
                case .nothing:
                    // Only one task sends. If there were two, the earlier one would stop.
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
            }
        }
        unsafe waiter?.resume(returning: frame)
    }
}

/// The socket of a connection, for writing messages without waking the connection's task, which would double the cost.
///
/// The caller must ensure that the connection is open and that nobody else writes. Both hold while the connection's
/// task waits for the next frame.
struct DirectSocket: Sendable {
    enum Outcome: Equatable {
        case sent
        /// Nothing was written, because the buffer is full or the connection has failed.
        case refused
        /// Only a part was written, so the client would take any further bytes for the rest of the frame.
        case partial
    }

    let file: Int32

    func send(_ bytes: Data) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(file, $0.baseAddress, $0.count, flags) }
        if count == bytes.count { return .sent }
        return count <= 0 ? .refused : .partial
    }

    /// Whether the client has closed its side of the connection. Bytes of a further request may precede the end.
    var isClosedByClient: Bool {
        var entry = pollfd(fd: file, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    func shutdown() { Glibc.shutdown(file, Int32(SHUT_RDWR)) }
}

extension HTTPRequest {
    /// The socket of the request's connection, if known. It is valid while the connection is open.
    var directSocket: DirectSocket? { socket.map { DirectSocket(file: $0.rawValue) } }
}
