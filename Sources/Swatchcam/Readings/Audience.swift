import Foundation
import Synchronization

/// Who wants readings.
///
/// While somebody watches, they are made at the pushed rate. While nobody does, frames go back to the camera untouched,
/// but for one when somebody asks, and one now and then.
final class Audience: Sendable {
    private let patience: Duration
    private let watchers = Latest(0)
    private let asking = Atomic(false)

    /// - Parameter patience: How long who asks waits for a frame: a camera that delivers none for longer is soon said to
    ///   be lost.
    init(patience: Duration = .seconds(1)) {
        self.patience = patience
    }

    /// Whether somebody watches.
    var isWatching: Bool { watchers.value > 0 }

    /// Whether somebody waits for the next frame's reading.
    var isAsking: Bool { asking.load(ordering: .relaxed) }

    /// How many watch, whenever that changes.
    func changes() -> AsyncStream<Int> { watchers.updates() }

    /// Somebody watches until the attendance is released.
    func watch() -> Attendance {
        watchers.update { $0 += 1 }
        return Attendance(self)
    }

    /// The newest reading of these; one of the next frame if the newest is older than two periods.
    ///
    /// Whoever polls gets what those who watch get, and costs a frame's analysis a poll.
    /// - Parameter rate: pushed readings per second while somebody watches.
    func newest(of readings: Latest<Reading>, rate: Double) async -> Reading {
        let updates = readings.updates()
        let newest = readings.value
        // The absence of a colour is told as soon as it is known, whoever watches.
        guard newest.state.hasColor, abs(newest.time.timeIntervalSinceNow) > 2 / rate else { return newest }
        asking.store(true, ordering: .relaxed)
        return await withTaskGroup(of: Reading?.self) { [patience] group in
            group.addTask { await updates.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self) ?? readings.value
        }
    }

    /// A reading was made: who asked has it.
    func answer() { if isAsking { asking.store(false, ordering: .relaxed) } }

    fileprivate func leave() { watchers.update { $0 -= 1 } }
}

/// Somebody watches as long as this is kept.
final class Attendance: Sendable {
    private let audience: Audience

    fileprivate init(_ audience: Audience) {
        self.audience = audience
    }

    deinit { audience.leave() }
}
