package import Foundation
package import Handoff
import Synchronization

/// Who wants readings.
///
/// While somebody watches, they are made at the pushed rate. While nobody does, frames go back to the camera untouched,
/// but for one when somebody asks, and one now and then.
package final class Demand: Sendable {
    /// The reading that a caller waits for, once.
    typealias Answers = AsyncStream<Reading>

    private struct Callers {
        var waiting: [Int: Answers.Continuation] = [:]
        var next = 0
    }

    /// The share of a caller's patience that the time between two frames may take: a frame may be late.
    private static let waitableShare = 2.0 / 3

    /// Of a reading that is given to a caller while nobody watches, in seconds.
    private static let longestAge = 1.0

    /// How long a caller waits for a frame. Without its patches FlyingFox ends a route after 2 s (`WebServer.answerTime`).
    private let patience: Duration
    /// The longest time from one frame to the next for which a caller can wait, in seconds.
    private let longestPeriod: Double
    private let sleep: @Sendable (Duration) async throws -> Void
    private let date: @Sendable () -> Date
    /// Ends when somebody wants a frame. Nil: the capture thread may not rest.
    package let rest: Rest?
    private let watchers = Latest(0)
    private let callers = Mutex(Callers())
    /// That `callers` has some: looked at with every frame.
    private let hasCallers = Atomic(false)
    /// The bits of a Double, in seconds.
    private let period = Atomic(UInt64(0))

    /// - Parameters:
    ///   - rest: The capture thread's. Nil: the thread may not rest, since nobody could end it.
    ///   - patience: How long a caller waits for a frame.
    ///   - sleep: Waits for so long.
    ///   - date: The time of day, as readings carry it.
    package init(
        rest: Rest? = nil, patience: Duration = .milliseconds(1800),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        date: @escaping @Sendable () -> Date = Date.init
    ) {
        self.rest = rest
        self.patience = patience
        longestPeriod = Self.waitableShare * (patience / .seconds(1))
        self.sleep = sleep
        self.date = date
    }

    /// Whether somebody watches.
    package var isWatching: Bool { watchers.value > 0 }

    /// Whether somebody waits for the next frame's reading.
    var isAsking: Bool { hasCallers.load(ordering: .sequentiallyConsistent) }

    /// The time from one frame of the source in use to the next, in seconds; 0 before there was a source.
    package var framePeriod: Double {
        get { Double(bitPattern: period.load(ordering: .relaxed)) }
        set { period.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Whether a caller cannot wait for the next frame. Then each frame is read, whoever wants it: there are so few that
    /// this costs less than the awakenings of a faster camera.
    var framesAreRare: Bool { framePeriod > longestPeriod }

    /// Whether the next frame is to be read.
    package var wantsFrames: Bool { isAsking || isWatching || framesAreRare }

    /// How many watch, whenever that changes.
    package func changes() -> AsyncStream<Int> { watchers.updates() }

    /// Counts somebody as watching until the token is released.
    package func watch() -> InterestToken {
        watchers.update { $0 += 1 }
        rest?.end()
        return InterestToken { [watchers] in watchers.update { $0 -= 1 } }
    }

    /// The newest reading of these; if it is older than two periods, that of the next frame, or of one that was captured
    /// less than two frames ago and still waits with the driver.
    ///
    /// Whoever polls gets what those who watch get, and costs a frame's analysis a poll. One frame answers all who wait.
    /// When none comes in time, or the caller's task is cancelled, it is the newest reading all the same.
    /// - Parameters:
    ///   - rate: pushed readings per second while somebody watches.
    ///   - isWanted: Whether a reading is of what the caller means: its region may have changed since.
    package func newest(
        of readings: Latest<Reading>, rate: Double, where isWanted: (Reading) -> Bool = { _ in true }
    ) async -> Reading {
        if let reading = current(of: readings, rate: rate), isWanted(reading) { return reading }
        let answers = ask()
        // Only now is it certain that nothing is missed.
        if let reading = current(of: readings, rate: rate), isWanted(reading) { return reading }
        return await withTaskGroup(of: Reading?.self) { [patience, sleep] group in
            group.addTask { await answers.first { _ in true } }
            group.addTask {
                try? await sleep(patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self) ?? readings.value
        }
    }

    /// Asks for the next frame's reading. Whoever lets go of the stream asks no more.
    func ask() -> Answers {
        let (answers, continuation) = Answers.makeStream(bufferingPolicy: .bufferingOldest(1))
        let caller = callers.withLock { callers in
            defer { callers.next += 1 }
            callers.waiting[callers.next] = continuation
            hasCallers.store(true, ordering: .sequentiallyConsistent)
            return callers.next
        }
        continuation.onTermination = { [weak self] _ in self?.giveUp(caller) }
        rest?.end()
        return answers
    }

    /// Gives a new reading to all who wait for one: of a frame, or of why there is none.
    func answer(_ reading: Reading) {
        guard isAsking else { return }
        let waiting = callers.withLock { callers in
            defer { callers.waiting = [:] }
            hasCallers.store(false, ordering: .sequentiallyConsistent)
            return callers.waiting.values
        }
        for caller in waiting {
            caller.yield(reading)
            caller.finish()
        }
    }

    /// The newest reading, if it will do.
    private func current(of readings: Latest<Reading>, rate: Double) -> Reading? {
        let newest = readings.value
        // The absence of a colour is told as soon as it is known, whoever watches.
        guard newest.state.hasColor else { return newest }
        // Who asks for a reading now does not mean one of the last period, where that is long.
        let periods = isWatching ? 2 / rate : min(2 / rate, Self.longestAge)
        let longest = max(periods, framesAreRare ? 2 * framePeriod : 0)
        return abs(newest.time.timeIntervalSince(date())) <= longest ? newest : nil
    }

    private func giveUp(_ caller: Int) {
        callers.withLock { callers in
            callers.waiting[caller] = nil
            hasCallers.store(!callers.waiting.isEmpty, ordering: .sequentiallyConsistent)
        }
    }
}
