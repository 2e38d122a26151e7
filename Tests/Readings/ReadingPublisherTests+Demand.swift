import Color
import Foundation
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

/// Tests of when a reading is made: in each tick, and when somebody wants one.
extension ReadingPublisherTests {
    @Test("a tick that ends before the first frame publishes nothing and moves the deadline on")
    func noFrameYet() {
        let publisher = publisher()
        advance(by: 10)
        repeatIfOverdue(publisher)
        #expect(publisher.deadline > now)
        #expect(readings.value.sequence == 0)
        #expect(publisher.isDue(at: now))
    }

    @Test("a reading is repeated in each tick without a frame, with the next number and a greater age")
    func repeats() {
        let publisher = publisher()
        publish(10, by: publisher)
        var sequences: [UInt64] = []
        for _ in 1...4 {
            advance(by: 0.25)
            repeatIfOverdue(publisher)
            sequences.append(readings.value.sequence)
        }
        // No repetition is due until the tick after the reading's own has ended.
        #expect(sequences == [1, 2, 3, 4])
        #expect(readings.value.rgb?.r == 10)
        #expect(readings.value.frame?.ageMs == 1000)
        #expect(readings.value.rate.capture == 7)
        #expect(readings.value.dropped == 3)
    }

    @Test("every reading is recorded once, and a repetition is marked as one")
    func recorded() {
        let recorded = Mutex<[(sequence: UInt64, isRepeated: Bool)]>([])
        let publisher = ReadingPublisher(
            settings: .init(rate: 4), readings: readings, clocks: clock.clocks,
            record: { reading, isRepeated in recorded.withLock { $0.append((reading.sequence, isRepeated)) } })
        publish(10, by: publisher)
        advance(by: 0.25)
        repeatIfOverdue(publisher)
        advance(by: 0.25)
        repeatIfOverdue(publisher)
        publish(20, by: publisher)
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        let (sequences, repetitions) = recorded.withLock { ($0.map(\.sequence), $0.map(\.isRepeated)) }
        #expect(sequences == [1, 2, 3, 4] && repetitions == [false, true, false, false])
    }

    @Test("repetitions missed while the machine slept are not made up for")
    func sleep() {
        let publisher = publisher()
        publish(10, by: publisher)
        advance(by: 3600)
        for _ in 1...5 { repeatIfOverdue(publisher) }
        #expect(readings.value.sequence == 2)
    }

    @Test("a watcher that comes after a quiet hour does not get the colour of an hour ago as new")
    func quietHour() {
        let publisher = publisher()
        publisher.followDemand(framePeriod: 0.1)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        advance(by: 3600)
        let token = demand.watch()
        publisher.followDemand(framePeriod: 0.1)
        let sequence = readings.value.sequence
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.sequence == sequence)
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, a tick lasts a minute")
    func quietRate() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(!publisher.wantsNextFrame)
        publish(20, by: publisher)
        advance(by: 59)
        #expect(!publisher.isDue(at: now))
        advance(by: 1)
        #expect(publisher.isDue(at: now))
    }

    @Test("readings that average two frames want every frame, although nobody watches")
    func averaged() {
        let publisher = publisher()
        publisher.settings = .init(frames: 2)
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        #expect(publisher.wantsNextFrame)
        publish(20, by: publisher)
        advance(by: 0.25)
        #expect(publisher.isDue(at: now))
    }

    @Test("until there is a colour, every frame is wanted")
    func firstFrame() {
        let publisher = publisher()
        publisher.followDemand(framePeriod: 0.1)
        #expect(publisher.wantsNextFrame)
        #expect(publisher.isDue(at: now))
    }

    @Test("between two ticks, a frame is wanted if a caller waits for it")
    func betweenTicks() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        publish(20, by: publisher)
        #expect(!publisher.isDue(at: now))
        let answers = demand.requestReading()
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(answers) {}
    }

    @Test(
        "between two rare ticks, a frame is wanted if a watcher has just come or frames are rare",
        arguments: [true, false])
    func betweenRareTicks(isWatcher: Bool) {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.followDemand(framePeriod: 0.1)
        publish(20, by: publisher)
        #expect(!publisher.isDue(at: now))
        let token = isWatcher ? demand.watch() : nil
        if !isWatcher { demand.framePeriod = 3600 }
        #expect(publisher.isDue(at: now))
        withExtendedLifetime(token) {}
    }

    @Test("an edited rate takes effect with the next tick")
    func editedRate() {
        let publisher = publisher()
        publish(10, by: publisher)
        publisher.settings = .init(rate: 1)
        publish(10, by: publisher)
        advance(by: 0.9)
        #expect(!publisher.isDue(at: now))
        advance(by: 0.1)
        #expect(publisher.isDue(at: now))
        publish(10, by: publisher)
        #expect(readings.value.rate.wanted == 1)
    }
}
