package import Handoff
import Synchronization
import V4L2

/// Hands pictures to whoever watches, and knows whether anybody does.
///
/// A viewer gets the first picture that is made after it is ready for one. What is made meanwhile passes it by: nothing
/// waits for a slow viewer, and no picture is made for those that are not ready.
package final class PictureHub: Sendable {
    private struct State {
        var viewers: [ObjectIdentifier: Viewer] = [:]
        var isClosed = false
        var counters = PictureCounters()
    }

    private let capacity: Int
    private let rest: Rest?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: Viewers at most.
    ///   - rest: The capture thread's, which ends when a viewer comes.
    package init(capacity: Int, rest: Rest? = nil) {
        self.capacity = capacity
        self.rest = rest
    }

    /// What was done for viewers so far.
    package var counters: PictureCounters { state.withLock { $0.counters } }

    /// Whether anybody watches.
    var isWatched: Bool { state.withLock { !$0.viewers.isEmpty } }

    /// A place for one more viewer; nil when the hub is full or closed. The viewer leaves when it is released.
    /// - Parameters:
    ///   - rate: Pictures a second at most; nil: as many as there are.
    ///   - session: Names the session that the viewer belongs to; nil: it has none.
    package func join(_ view: Picture.View, rate: Double? = nil, session: String? = nil) -> PictureSubscription? {
        let subscription: PictureSubscription? = state.withLock { state in
            guard !state.isClosed, state.viewers.count < capacity else { return nil }
            let viewer = Viewer(view, interval: rate.map { 1 / $0 } ?? 0, session: session)
            state.viewers[ObjectIdentifier(viewer)] = viewer
            state.counters.viewers = state.viewers.count
            return PictureSubscription(viewer: viewer, place: InterestToken { [self] in leave(viewer) })
        }
        if subscription != nil { rest?.end() }
        return subscription
    }

    /// The views that somebody is ready for now.
    func demand(at now: MonotonicTime) -> Set<Picture.View> {
        state.withLock { state in
            Set(state.viewers.values.filter { $0.isReady(at: now) }.map(\.view))
        }
    }

    /// Gives a picture to everyone who is ready for one of this view.
    func offer(_ picture: Picture, of view: Picture.View, at now: MonotonicTime) {
        let viewers = state.withLock { state in state.viewers.values.filter { $0.view == view } }
        for viewer in viewers { viewer.offer(picture, at: now) }
    }

    /// Notes what was done.
    func count(_ change: (inout PictureCounters) -> Void) {
        state.withLock { change(&$0.counters) }
    }

    /// Sessions that have a viewer here.
    package var sessions: Set<String> { state.withLock { Set($0.viewers.values.compactMap(\.session)) } }

    /// Ends every stream, or those of one session.
    package func end(session: String? = nil) {
        let viewers = state.withLock { $0.viewers.values.filter { session == nil || $0.session == session } }
        for viewer in viewers { viewer.finish() }
    }

    /// Ends every stream; nobody can join any more.
    package func close() {
        let viewers = state.withLock { state in
            state.isClosed = true
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.finish() }
    }

    private func leave(_ viewer: Viewer) {
        state.withLock { state in
            state.viewers[ObjectIdentifier(viewer)] = nil
            state.counters.viewers = state.viewers.count
        }
    }
}

/// What pictures cost so far.
package struct PictureCounters: Equatable, Sendable {
    /// Viewers that are here now.
    package var viewers = 0
    /// Pictures that were encoded.
    package var encoded: UInt64 = 0
    /// Pictures that went on as the camera had made them.
    package var passedOn: UInt64 = 0
}

/// A viewer's place in a hub, for as long as it is kept.
package struct PictureSubscription: Sendable {
    fileprivate let viewer: Viewer
    fileprivate let place: InterestToken

    /// The next picture that is made; nil when none will follow, when none came for so long, or when the task was
    /// cancelled.
    package func next(within limit: Duration) async -> Picture? {
        let timer = Task { [viewer] in
            try await Task.sleep(for: limit)
            viewer.finish()
        }
        defer { timer.cancel() }
        return await viewer.next()
    }
}

/// One viewer: it is ready, or it is busy with the last picture.
private final class Viewer: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Picture?, Never>?
        /// Before this moment another picture would be too many.
        var due: MonotonicTime?
        var isFinished = false
    }

    let view: Picture.View
    let session: String?
    private let interval: Double
    private let state = Mutex(State())

    init(_ view: Picture.View, interval: Double, session: String?) {
        self.view = view
        self.interval = interval
        self.session = session
    }

    func isReady(at now: MonotonicTime) -> Bool {
        state.withLock { $0.waiter != nil && $0.due.map { $0 <= now } ?? true }
    }

    func offer(_ picture: Picture, at now: MonotonicTime) {
        let waiter = state.withLock { state -> CheckedContinuation<Picture?, Never>? in
            guard state.waiter != nil, state.due.map({ $0 <= now }) ?? true else { return nil }
            defer { state.waiter = nil }
            // From when it was due, so that the rate is kept on average; from now, if it is long overdue.
            let start = state.due.map { now - $0 < interval ? $0 : now } ?? now
            state.due = start + interval
            return state.waiter
        }
        waiter?.resume(returning: picture)
    }

    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    func next() async -> Picture? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFinished = state.withLock { state in
                    if !state.isFinished { state.waiter = continuation }
                    return state.isFinished
                }
                if isFinished { continuation.resume(returning: nil) }
            }
        } onCancel: {
            finish()
        }
    }
}
