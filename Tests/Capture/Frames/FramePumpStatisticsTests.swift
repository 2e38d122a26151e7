import Color
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The statistics of the frames that the pump reads")
struct FramePumpStatisticsTests {
    private let clock = ManualClock()
    private let readings = Latest(Reading.none)
    private let config = Latest(Settings())

    @Test(
        "statistics are those of the newest frame, whatever number of frames a reading averages",
        arguments: [1, 2, 3])
    func newest(frames: Int) throws {
        config.update { $0.effective.readings.frames = frames }
        var source = ScriptedSource(clock)
        let values: [UInt8] = [15, 30, 90, 10]
        for value in values { source.add(value) }
        let demand = Demand()
        let interest = demand.watch()
        defer { withExtendedLifetime(interest) {} }
        let publisher = ReadingPublisher(
            settings: .init(config.value.effective), readings: readings, demand: demand, clocks: clock.clocks)
        var pump = try FramePump(
            format: source.format, config: config, camera: Reading.Camera(id: "id", name: "name"), state: .live,
            publisher: publisher)
        let waker = try Waker()
        for value in values {
            _ = try pump.step(&source, waker: waker)
            let statistics = try #require(readings.value.statistics)
            #expect(statistics.minimum.r == Double(value))
            #expect(statistics.median.g == Double(value))
            #expect(statistics.maximum.b == Double(value))
            #expect(statistics.pixels == 16)
            #expect(statistics.histogram.g[Int(value)] == 16)
        }
    }
}
