import Synchronization
import V4L2

/// Where others leave word for the thread of the controls, which is woken by it.
final class ControlDesk: Sendable {
    enum Wish: Sendable {
        /// Sets a control; nil: to its default.
        case set(name: String, ConfigValue?)
        /// Sets every control to its default.
        case reset
        case lock
        case unlock
    }

    /// Why nothing was done.
    enum Refusal: Error, Equatable, Sendable {
        /// There is no camera in use.
        case noCamera
        /// It has no control like that: a sentence.
        case unknown(String)
        /// The control takes no such value: a sentence.
        case badValue(String)
        /// The camera did not take it: a sentence.
        case refused(String)
        /// Nobody can say now: the program stops, or too much was asked at once.
        case unavailable
    }

    struct Request: Sendable {
        let wish: Wish
        /// To be called once.
        let answer: @Sendable (Result<ControlState, Refusal>) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var camera: Reading.Camera?
        var isStopped = false
    }

    private static let mostRequests = 32

    let waker: Waker
    private let state = Mutex(State())

    /// - Throws: `V4L2Error.system` if the process has no file descriptor left.
    init() throws(V4L2Error) {
        waker = try Waker()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The camera that delivers; its controls are followed.
    var camera: Reading.Camera? {
        get { state.withLock { $0.camera } }
        set {
            let isNew = state.withLock { state in
                defer { state.camera = newValue }
                return state.camera != newValue
            }
            if isNew { waker.wake() }
        }
    }

    /// Asks, and waits for the controls as they are then.
    func ask(_ wish: Wish) async -> Result<ControlState, Refusal> {
        await withCheckedContinuation { continuation in
            let request = Request(wish: wish) { continuation.resume(returning: $0) }
            let isTaken = state.withLock { state in
                guard !state.isStopped, state.requests.count < Self.mostRequests else { return false }
                state.requests.append(request)
                return true
            }
            if isTaken { waker.wake() } else { request.answer(.failure(.unavailable)) }
        }
    }

    /// The oldest request.
    func take() -> Request? {
        state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    /// Ends the thread.
    func stop() {
        let requests = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.requests
        }
        for request in requests { request.answer(.failure(.unavailable)) }
        waker.wake()
    }
}
