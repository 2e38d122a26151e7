import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("Taking a sample", .timeLimit(.minutes(20)))
struct SampleTakerTests {
    private let readings = Latest(Reading.frame(1))
    private let demand = Demand()

    /// Waits until the task is cancelled.
    private static let forever: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(86_400)) }

    private func taker() -> SampleTaker {
        SampleTaker(readings: readings, demand: demand, clocks: ManualClock().clocks)
    }

    /// Publishes readings of new frames for as long as anybody watches.
    private func deliver(grey: Double = 100) async {
        var sequence: UInt32 = 1
        await waitUntil("nobody watches any more") {
            guard demand.isWatching else { return true }
            sequence += 1
            readings.publish(.frame(sequence, grey: grey))
            return false
        }
    }

    private func untilWatched() async {
        for await count in demand.changes() where count > 0 { return }
    }

    private func take(_ count: Int, by taker: SampleTaker) async -> Result<SampleCollector, SampleTaker.Failure> {
        do throws(SampleTaker.Failure) {
            return .success(try await taker.take(count, in: .full, rate: 4, until: Self.forever))
        } catch {
            return .failure(error)
        }
    }

    @Test("a sample holds the demand for readings until it is complete")
    func demandIsHeld() async throws {
        let changes = demand.changes()
        let taker = taker()
        async let taken = take(3, by: taker)
        for await count in changes where count > 0 { break }
        await deliver(grey: 50)
        let sample = try await taken.get().sample(id: 1, name: "", controls: [:])
        #expect(sample?.readings == 3 && sample?.mean.r == 50)
        #expect(!demand.isWatching)
    }

    @Test("without a colour no sample begins, and the reason is passed on")
    func noColor() async {
        readings.publish(.noCamera)
        #expect(
            await take(1, by: taker()).failure
                == .noColor(.noCamera, "There is no colour: There is no camera. Connect one."))
        #expect(!demand.isWatching)
    }

    @Test("a sample ends as soon as its client is gone")
    func gone() async {
        await #expect(throws: SampleTaker.Failure.cancelled) {
            try await taker().take(1, in: .full, rate: 4, until: {})
        }
        #expect(!demand.isWatching)
    }

    @Test(
        "a sample whose readings do not arrive ends after three times their expected time plus ten seconds",
        arguments: [(2.0, 1, 70), (1e300, 1, 3600), (0, 1, 17.5), (0.5, 8, 130)])
    func slow(framePeriod: Double, frames: Int, limit: Double) async {
        let limits = Latest(Duration.zero)
        let clocks = Clocks().sleeping { limits.publish($0) }
        let taker = SampleTaker(readings: readings, demand: demand, clocks: clocks)
        demand.framePeriod = framePeriod
        await #expect(throws: SampleTaker.Failure.tooSlow) {
            try await taker.take(10, in: .full, rate: 4, frames: frames, until: Self.forever)
        }
        #expect(limits.value == .seconds(limit))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
