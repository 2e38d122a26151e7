package import Handoff
package import Pixels

/// Takes samples: waits for the readings of each.
package final class SampleTaker: Sendable {
    /// The reason why a sample was not taken.
    package enum Failure: Error, Equatable, Sendable {
        /// There is no colour: the state, and a sentence.
        case noColor(Reading.State, String)
        /// What the sample depends on has changed: a sentence.
        case interrupted(String)
        /// The readings have not arrived in time.
        case tooSlow
        /// The client no longer waits.
        case cancelled

        package var sentence: String {
            switch self {
            case .noColor(_, let sentence), .interrupted(let sentence): sentence
            case .tooSlow: "The camera has not delivered enough frames in time."
            case .cancelled: "Swatchcam is stopping."
            }
        }
    }

    /// The readings must arrive within ``minTimeout`` plus this many times the time that they should take.
    private static let timeoutFactor = 3.0
    /// The shortest timeout, in seconds.
    private static let minTimeout = 10.0
    /// The longest timeout in seconds, because a driver may claim any time between two frames.
    private static let maxTimeout = 3600.0

    private let readings: Latest<Reading>
    private let demand: Demand
    private let clocks: Clocks

    package init(readings: Latest<Reading>, demand: Demand, clocks: Clocks = Clocks()) {
        self.readings = readings
        self.demand = demand
        self.clocks = clocks
    }

    /// The wait of a client that does not leave.
    package static let untilCancelled: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(86_400)) }

    /// Waits for the readings of a sample, which are made at the configured rate in the meantime.
    /// - Parameters:
    ///   - count: The number of readings.
    ///   - region: The region in the configuration.
    ///   - rate: The readings per second in the configuration.
    ///   - frames: The number of frames that a reading averages.
    ///   - clientIsGone: Waits until the client no longer waits, or the task is cancelled.
    /// - Throws: The reason why the sample was not taken.
    package func take(
        _ count: Int, in region: Region, rate: Double, frames: Int = 1,
        until clientIsGone: @escaping @Sendable () async -> Void = SampleTaker.untilCancelled
    ) async throws(Failure) -> SampleCollector {
        let start = clocks.now()
        let updates = readings.updates()
        let newest = readings.value
        guard newest.state.hasColor else { throw .noColor(newest.state, newest.whyNoColor) }
        let watching = demand.watch()
        let collector = SampleCollector(of: count, in: region, after: newest)
        let period = max(rate > 0 ? 1 / rate : 0, Double(frames) * demand.framePeriod)
        defer { withExtendedLifetime(watching) {} }
        return try await Self.first(
            within: Self.timeout(for: count, period: period), until: clientIsGone, clocks: clocks,
            of: [{ [clocks] in await Self.collect(collector, from: updates) { clocks.now() - start } }])
    }

    /// Returns the time in which readings must arrive.
    /// - Parameter period: The time from one to the next, in seconds.
    package static func timeout(for count: Int, period: Double) -> Duration {
        .seconds(min(minTimeout + timeoutFactor * Double(count) * period, maxTimeout))
    }

    /// Returns the result of the operation that ends first. The others are cancelled.
    /// - Throws: Its failure; `tooSlow` if the time is up first, and `cancelled` if the client has gone or the task is
    ///   cancelled.
    package static func first<Value: Sendable>(
        within timeout: Duration, until clientIsGone: @escaping @Sendable () async -> Void, clocks: Clocks,
        of operations: [@Sendable () async -> Result<Value, Failure>]
    ) async throws(Failure) -> Value {
        let result = await withTaskGroup(of: Result<Value, Failure>.self) { group in
            for operation in operations { group.addTask { await operation() } }
            group.addTask {
                try? await clocks.sleep(timeout)
                return .failure(.tooSlow)
            }
            group.addTask {
                await clientIsGone()
                return .failure(.cancelled)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        // If the task was cancelled, the end of a wait that was cut short means nothing.
        guard !Task.isCancelled else { throw .cancelled }
        return try result.get()
    }

    private static func collect(
        _ collector: SampleCollector, from updates: AsyncStream<Reading>, elapsed: @Sendable () -> Double
    ) async -> Result<SampleCollector, Failure> {
        var collector = collector
        for await reading in updates {
            switch collector.add(reading, elapsed: elapsed()) {
            case .underWay: continue
            case .complete: return .success(collector)
            case .interrupted(let reason): return .failure(.interrupted(reason))
            }
        }
        return .failure(.cancelled)
    }
}
