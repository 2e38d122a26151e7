import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("The publisher of readings")
struct ReadingPublisherTests {
    private let readings = Latest(Reading.none)

    @Test("waits for the next tick when one ends before there was a frame")
    func noFrameYet() {
        var publisher = ReadingPublisher(settings: .init(), readings: readings)
        let late = publisher.deadline + 10
        publisher.repeatIfOverdue(captureRate: 0, dropped: 0, at: late)
        #expect(publisher.deadline > late)
        #expect(readings.value.sequence == 0)
    }

    @Test("still wants the first frame then")
    func firstFrame() {
        var publisher = ReadingPublisher(settings: .init(), readings: readings)
        let late = publisher.deadline + 10
        publisher.repeatIfOverdue(captureRate: 0, dropped: 0, at: late)
        #expect(publisher.isDue(at: late))
    }
}
