import Pixels
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The reading that the web server returns")
struct SharedStateReadingTests {
    /// Returns how often a caller waits for the next frame if this is the newest reading.
    private func waits(for reading: Reading) async throws -> Int {
        let count = Latest(0)
        var shared = try SharedState.sample()
        shared.readings = Latest(reading)
        let clock = ManualClock(date: reading.time)
        shared.demand = Demand(clocks: clock.clocks.sleeping { _ in count.update { $0 += 1 } })
        #expect(await shared.reading.sequence == reading.sequence)
        return count.value
    }

    @Test("a recent reading is returned at once, unless the region, the effect or the recording is another one")
    func recent() async throws {
        #expect(try await waits(for: .sample) == 0)
        #expect(
            try await waits(for: .sample.with { $0.region = .init(x: 0, y: 0, width: 0.5, height: 1) }) == 1)
        #expect(try await waits(for: .sample.with { $0.effect = "edges" }) == 1)
        #expect(try await waits(for: .sample.with { $0.recording = .init(name: "A", since: $0.time) }) == 1)
        // A reason for a missing colour is returned at once, whatever is configured.
        #expect(try await waits(for: .noCamera.with { $0.effect = "edges" }) == 0)
    }
}
