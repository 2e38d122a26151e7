import Synchronization
import V4L2

/// Where others leave word for the capture thread, which is woken by it.
final class CaptureDesk: Sendable {
    /// Which camera is wanted in place of the present one.
    enum Wish: Equatable, Sendable {
        /// The next one, in the order of the list.
        case next
        /// A node, a stable id, part of a name, or `test-pattern`.
        case device(String)
    }

    /// Why the camera is still the one that it was.
    enum Refusal: Error, Equatable, Sendable {
        /// There is none like that: a sentence.
        case notFound(String)
        /// It is there, and cannot be used: a sentence.
        case unusable(String)
        /// Nobody can say now: the program stops, or too many have asked.
        case unavailable
    }

    /// A wish and whoever waits for what becomes of it.
    struct Request: Sendable {
        let wish: Wish
        /// To be called once.
        let answer: @Sendable (Result<Reading.Camera, Refusal>) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var isStopped = false
    }

    private static let mostRequests = 8

    /// Wakes the capture thread from whatever it is waiting for.
    let waker: Waker
    private let state = Mutex(State())

    /// - Throws: `V4L2Error.system` if the process has no file descriptor left.
    init() throws(V4L2Error) {
        waker = try Waker()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks for another camera, and waits until it is open or refused.
    func ask(_ wish: Wish) async -> Result<Reading.Camera, Refusal> {
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

    /// Ends the capture thread.
    func stop() {
        let requests = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.requests
        }
        for request in requests { request.answer(.failure(.unavailable)) }
        waker.wake()
    }
}
