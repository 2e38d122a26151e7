import FoundationEssentials
package import Handoff
import Synchronization

/// The demand for readings, by watchers and by callers.
///
/// A watcher wants readings at the configured rate; a caller waits for a single one. While there is no watcher, frames
/// are returned to the camera unread, except one for each request and an occasional one.
package final class Demand: Sendable {
    /// The stream of the single reading that a caller waits for.
    typealias Answers = AsyncStream<Reading>

    private struct WaitingCallers {
        var waiting: [Int: Answers.Continuation] = [:]
        var next = 0
    }

    /// The maximum time for which a request waits for the camera: longer than a camera with one frame a second needs,
    /// and short enough for a person.
    package static let maxWait = Duration.milliseconds(1800)

    /// The largest share of the timeout that a frame period may take, because a frame may be late.
    private static let waitableShare = 2.0 / 3

    /// The greatest age at which a caller receives a reading at once while there is no watcher, in seconds. If frames
    /// are rare, two frame periods apply, which are longer. After a timeout, the newest reading has no colour if that has
    /// expired.
    private static let maxAge = 1.0

    private let timeout: Duration
    /// The longest time from one frame to the next for which a caller can wait, in seconds.
    private let maxPeriod: Double
    private let clocks: Clocks
    /// The capture thread's rest, which ends when a frame is wanted; nil if the thread may not rest.
    package let rest: Rest?
    private let watchers = Latest(0)
    private let callers = Mutex(WaitingCallers())
    /// Whether `callers` has any, as a separate value because it is read with every frame.
    private let hasWaitingCallers = Atomic(false)
    /// The frame period in seconds, as the bits of a Double.
    private let period = Atomic(UInt64(0))

    /// - Parameters:
    ///   - rest: The capture thread's rest; nil if the thread may not rest, because nothing could end it.
    ///   - timeout: The time for which a caller waits for a frame.
    package init(rest: Rest? = nil, timeout: Duration = maxWait, clocks: Clocks = Clocks()) {
        self.rest = rest
        self.timeout = timeout
        maxPeriod = Self.waitableShare * (timeout / .seconds(1))
        self.clocks = clocks
    }

    package var isWatching: Bool { watchers.value > 0 }

    /// Whether a caller waits for the next frame's reading.
    var hasCallers: Bool { hasWaitingCallers.load(ordering: .sequentiallyConsistent) }

    /// The time from one frame of the source in use to the next, in seconds; 0 before there was a source.
    package var framePeriod: Double {
        get { Double(bitPattern: period.load(ordering: .relaxed)) }
        set { period.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Whether frames are too rare for a caller to wait for the next one.
    ///
    /// In that case every frame is read, wanted or not, which costs less than the wake-ups of a faster camera.
    var framesAreRare: Bool { framePeriod > maxPeriod }

    /// Whether the next frame is to be read.
    package var wantsFrames: Bool { hasCallers || isWatching || framesAreRare }

    /// Returns a stream of the number of watchers, with a value for each change.
    package func changes() -> AsyncStream<Int> { watchers.updates() }

    /// Adds a watcher until the token is released.
    package func watch() -> InterestToken {
        watchers.update { $0 += 1 }
        rest?.end()
        return InterestToken { [watchers] in watchers.update { $0 -= 1 } }
    }

    /// Returns the newest reading, or waits for the next frame's if the newest is older than two periods of `rate`, or
    /// than a second while there is no watcher; or, if frames are rare, older than two frame periods.
    ///
    /// The next frame may be one that was captured less than two frames ago and still waits in the driver. Polling
    /// returns the same data as watching, and costs the analysis of one frame for each poll. One frame answers all
    /// callers. If no frame arrives in time, or the caller's task is cancelled, the newest reading is returned anyway,
    /// without its colour if that has expired.
    /// - Parameters:
    ///   - rate: The readings pushed per second while there is a watcher.
    ///   - isWanted: Returns whether a reading is the one that the caller expects: the region may have been edited
    ///     since it was made.
    package func newest(
        of readings: Latest<Reading>, rate: Double, where isWanted: (Reading) -> Bool = { _ in true }
    ) async -> Reading {
        await awaited(of: readings, rate: rate, where: isWanted).asOf(clocks.now())
    }

    private func awaited(
        of readings: Latest<Reading>, rate: Double, where isWanted: (Reading) -> Bool
    ) async -> Reading {
        if let reading = current(of: readings, rate: rate), isWanted(reading) { return reading }
        let answers = requestReading()
        // A reading published before the request would otherwise be missed.
        if let reading = current(of: readings, rate: rate), isWanted(reading) { return reading }
        return await withTimeout(timeout, clocks: clocks) { await answers.first { _ in true } } ?? readings.value
    }

    /// Requests the next frame's reading. Releasing the stream withdraws the request.
    func requestReading() -> Answers {
        let (answers, continuation) = Answers.makeStream(bufferingPolicy: .bufferingOldest(1))
        let caller = callers.withLock { callers in
            defer { callers.next += 1 }
            callers.waiting[callers.next] = continuation
            hasWaitingCallers.store(true, ordering: .sequentiallyConsistent)
            return callers.next
        }
        continuation.onTermination = { [weak self] _ in self?.withdraw(caller) }
        rest?.end()
        return answers
    }

    /// Sends a new reading, with or without a colour, to all waiting callers.
    func answer(_ reading: Reading) {
        guard hasCallers else { return }
        let waiting = callers.withLock { callers in
            defer { callers.waiting = [:] }
            hasWaitingCallers.store(false, ordering: .sequentiallyConsistent)
            return callers.waiting.values
        }
        for caller in waiting {
            caller.yield(reading)
            caller.finish()
        }
    }

    /// Returns the newest reading if it is recent enough; else nil.
    private func current(of readings: Latest<Reading>, rate: Double) -> Reading? {
        let newest = readings.value
        // The absence of a colour is published as soon as it is known, with or without watchers.
        guard newest.state.hasColor else { return newest }
        // At a low rate, a reading of two periods ago is older than a caller expects.
        let periods = isWatching ? 2 / rate : min(2 / rate, Self.maxAge)
        let longest = max(periods, framesAreRare ? 2 * framePeriod : 0)
        return abs(newest.time.timeIntervalSince(clocks.date())) <= longest ? newest : nil
    }

    private func withdraw(_ caller: Int) {
        callers.withLock { callers in
            callers.waiting[caller] = nil
            hasWaitingCallers.store(!callers.waiting.isEmpty, ordering: .sequentiallyConsistent)
        }
    }
}
