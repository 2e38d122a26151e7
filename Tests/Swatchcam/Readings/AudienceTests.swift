import Foundation
import Pixels
import Testing
import V4L2

@testable import Swatchcam

@Suite("The audience")
struct AudienceTests {
    private let audience = Audience(patience: .seconds(3600))
    private let readings = Latest(Reading.sample)

    /// A reading of long ago.
    private func makeOld() {
        readings.update { $0.time = .distantPast }
    }

    @Test("watches as long as one attendance is kept")
    func watching() {
        var first: Attendance? = audience.watch()
        var second: Attendance? = audience.watch()
        #expect(audience.isWatching && first != nil && second != nil)
        first = nil
        #expect(audience.isWatching)
        second = nil
        #expect(!audience.isWatching)
    }

    @Test("takes a reading that is fresh as it is")
    func fresh() async {
        readings.update { $0.time = Date() }
        _ = await audience.newest(of: readings, rate: 0.001)
        #expect(!audience.isAsking)
    }

    @Test("takes the absence of a colour as it is, however old")
    func absence() async {
        readings.publish(.none)
        makeOld()
        #expect(await audience.newest(of: readings, rate: 4).state == .starting)
        #expect(!audience.isAsking)
    }

    @Test(
        "asks for another when the newest is old, also by the clock's leap",
        arguments: [Date.distantPast, .distantFuture])
    func old(time: Date) async {
        readings.update { $0.time = time }
        async let answer = audience.newest(of: readings, rate: 4)
        while !audience.isAsking { await Task.yield() }
        readings.update { $0.sequence = 99 }
        #expect(await answer.sequence == 99)
    }

    @Test("takes the old one when none comes")
    func patience() async {
        let audience = Audience(patience: .zero)
        makeOld()
        #expect(await audience.newest(of: readings, rate: 4).time == .distantPast)
    }

    @Test("is answered by the next reading")
    func answered() async {
        makeOld()
        async let answer = audience.newest(of: readings, rate: 4)
        while !audience.isAsking { await Task.yield() }
        let camera = Reading.Camera(id: "id", name: "name", device: nil)
        var publisher = ReadingPublisher(config: Config(), readings: readings, audience: audience)
        publisher.publish(
            RGB(r: 1, g: 2, b: 3), of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0),
            capturedAt: .now(), camera: camera, state: .live, captureRate: 15, dropped: 0, at: .now())
        #expect(await answer.rgb?.b == 3)
        #expect(!audience.isAsking)
    }
}
