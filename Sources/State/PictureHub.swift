import Documents
package import FoundationEssentials
package import Handoff
import Synchronization

/// A picture for viewers, as a JPEG image.
package struct Picture: Sendable {
    package enum View: String, CaseIterable, Sendable {
        /// The picture without an effect.
        case live
        /// The picture with the chosen effect.
        case processed
    }

    package var data: Data
    /// The time of capture, by the wall clock.
    package var time: Date
    /// The time of capture, by the monotonic clock.
    package var timestamp: MonotonicTime

    package init(data: Data, time: Date, timestamp: MonotonicTime) {
        (self.data, self.time, self.timestamp) = (data, time, timestamp)
    }
}

/// The distribution of pictures to viewers.
///
/// A viewer receives the first picture made after it becomes ready, and skips those made while it is busy. Nothing
/// waits for a slow viewer, and no picture is made while no viewer is ready.
package final class PictureHub: Sendable {
    private struct State {
        var viewers: [ObjectIdentifier: Viewer] = [:]
        var isClosed = false
        var counters = PictureCounters()
    }

    private let rest: Rest?
    private let state = Mutex(State())

    /// - Parameter rest: The capture thread's rest, which ends when a viewer joins.
    package init(rest: Rest? = nil) {
        self.rest = rest
    }

    package var counters: PictureCounters { state.withLock { $0.counters } }

    package var isWatched: Bool { state.withLock { !$0.viewers.isEmpty } }

    /// Adds a viewer, which leaves when the subscription is released; returns nil if the hub is closed.
    /// - Parameters:
    ///   - place: What the viewer holds until it leaves, such as a place among all viewers.
    ///   - rate: The maximum number of pictures per second; nil for no limit.
    ///   - session: The session that the viewer belongs to, if any.
    package func join(
        _ view: Picture.View, rate: Double? = nil, session: String? = nil, holding place: Places? = nil
    ) -> PictureSubscription? {
        let subscription: PictureSubscription? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let viewer = Viewer(view, interval: rate.map { 1 / $0 } ?? 0, session: session)
            state.viewers[ObjectIdentifier(viewer)] = viewer
            state.counters.viewers = state.viewers.count
            let token = InterestToken { [self] in leave(viewer) }
            return PictureSubscription(viewer: viewer, token: token, place: place)
        }
        if subscription != nil { rest?.end() }
        return subscription
    }

    /// Returns the views that have a viewer that is ready now.
    package func demand(at now: MonotonicTime) -> Set<Picture.View> {
        state.withLock { state in
            Set(state.viewers.values.filter { $0.isReady(at: now) }.map(\.view))
        }
    }

    /// Sends a picture to every viewer that is ready for this view.
    package func offer(_ picture: Picture, of view: Picture.View, at now: MonotonicTime) {
        let viewers = state.withLock { state in state.viewers.values.filter { $0.view == view } }
        for viewer in viewers { viewer.offer(picture, at: now) }
    }

    package func count(_ change: (inout PictureCounters) -> Void) {
        state.withLock { change(&$0.counters) }
    }

    /// The sessions that have a viewer.
    package var sessions: Set<String> { state.withLock { Set($0.viewers.values.compactMap(\.session)) } }

    /// Ends all streams, or those of one session.
    package func end(session: String? = nil) {
        let viewers = state.withLock { $0.viewers.values.filter { session == nil || $0.session == session } }
        for viewer in viewers { viewer.finish() }
    }

    /// Ends all streams. No viewer can join afterwards.
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

package struct PictureCounters: Equatable, Sendable {
    package var viewers = 0
    package var encoded: UInt64 = 0
    /// The number of JPEG frames of the camera that were passed on without being encoded again.
    package var passedOn: UInt64 = 0
}

/// A viewer's place in a hub. The viewer leaves when it is released.
package struct PictureSubscription: Sendable {
    fileprivate let viewer: Viewer
    fileprivate let token: InterestToken
    /// What the viewer holds until it leaves; also held while its last picture is being sent.
    package let place: Places?

    /// The shortest time between two pictures in seconds; 0 if the rate is not limited.
    package var interval: Double { viewer.interval }

    /// Waits for the next picture; returns nil when the stream ends or the task is cancelled.
    package func next() async -> Picture? { await viewer.next() }

    /// Waits for the next picture; returns nil when the stream ends, the time limit passes or the task is cancelled.
    ///
    /// Any of these closes the subscription: after nil, no further picture arrives.
    package func next(within limit: Duration) async -> Picture? {
        await withTimeout(limit) { [viewer] in await viewer.next() }
    }

    /// Waits for the next picture of a frame that was captured after a moment; returns nil when the stream ends, the
    /// time limit passes or the task is cancelled. Any of these closes the subscription.
    ///
    /// The first picture may have been under way, and frames may have waited in the driver. If none of ``maxSkipped``
    /// pictures is new enough, the driver's timestamps cannot be relied on, and the next picture is returned.
    package func next(within limit: Duration, after moment: MonotonicTime) async -> Picture? {
        await withTimeout(limit) { [viewer] in
            for _ in 0..<Self.maxSkipped {
                guard let picture = await viewer.next() else { return nil }
                if picture.timestamp >= moment { return picture }
            }
            return await viewer.next()
        }
    }

    /// The maximum number of pictures that are skipped because they are too old: more than the number of frames that
    /// can be on the way.
    private static let maxSkipped = 8
}

/// A viewer, which is either ready for a picture or busy with the last one.
private final class Viewer: Sendable {
    let view: Picture.View
    let session: String?
    let interval: Double
    private let slot = Slot<Picture>()
    /// The earliest time of the next picture, which keeps to the viewer's rate.
    private let due = Mutex<MonotonicTime?>(nil)

    init(_ view: Picture.View, interval: Double, session: String?) {
        self.view = view
        self.interval = interval
        self.session = session
    }

    func isReady(at now: MonotonicTime) -> Bool {
        slot.isAwaited && due.withLock { $0.map { $0 <= now } ?? true }
    }

    func offer(_ picture: Picture, at now: MonotonicTime) {
        guard isReady(at: now) else { return }
        due.withLock { due in
            // Counting from the due time keeps the rate on average. If that is long past, counting restarts now.
            due = (due.map { now - $0 < interval ? $0 : now } ?? now) + interval
        }
        slot.put(picture)
    }

    func finish() { slot.close() }

    func next() async -> Picture? { await slot.next() }
}
