import TestSupport

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings
@testable import State

/// What the tests of a pump share: its clock, its configuration, a client that watches, and the readings it publishes.
class PumpSuite {
    let clock = ManualClock()
    let readings = Latest(Reading.none)
    let config = Latest(Settings())
    let areas = Latest(AreaRequest?.none)
    let demand = Demand()
    let waker: Waker
    private let interest: InterestToken

    init() throws {
        waker = try Waker()
        interest = demand.watch()
    }

    func pump(
        of source: borrowing some FrameSource & ~Copyable, for demand: Demand? = nil, tap: PictureTap? = nil,
        camera: Reading.Camera = .init(id: "id", name: "name"), state: Reading.State = .live
    ) throws -> FramePump {
        let publisher = ReadingPublisher(
            settings: .init(config.value.effective), readings: readings, demand: demand ?? self.demand,
            clocks: clock.clocks)
        return try FramePump(
            format: source.format, config: config, areas: areas, tap: tap, camera: camera, state: state,
            publisher: publisher)
    }
}
