import Color
import Foundation
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

/// Tests of the statistics over time and of the quality that follows from them.
extension ReadingPublisherTests {
    /// Publishes readings of new frames, one every quarter of a second.
    private func publish(newFrames count: Int, by publisher: ReadingPublisher) {
        for _ in 0..<count {
            advance(by: 0.25)
            publish(10, by: publisher)
        }
    }

    @Test("from the eighth reading on, readings carry their noise and whether they have settled")
    func stability() {
        let publisher = publisher()
        publish(newFrames: 7, by: publisher)
        #expect(readings.value.stability == Reading.Stability())
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
        #expect(readings.value.stability.steadiness?.isSettled == true)
    }

    @Test("a repeated reading is not an observation, and repeats the statistics")
    func repeatedStatistics() {
        let publisher = publisher()
        publish(newFrames: 7, by: publisher)
        for _ in 1...5 {
            advance(by: 0.25)
            repeatIfOverdue(publisher)
        }
        #expect(readings.value.sequence > 8)
        #expect(readings.value.stability.noise == nil)
        publish(newFrames: 1, by: publisher)
        let stability = readings.value.stability
        #expect(stability.noise != nil)
        advance(by: 1)
        repeatIfOverdue(publisher)
        #expect(readings.value.stability == stability)
        #expect(readings.value.quality != nil)
    }

    @Test("a reading that shares frames with an earlier one is not an observation")
    func shared() {
        let publisher = publisher()
        for index in 0..<15 {
            advance(by: 0.25)
            publisher.publish(
                .init(mean: RGB(r: 1, g: 2, b: 3)), isIndependent: index.isMultiple(of: 2),
                of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: now),
                camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 0, at: now)
            #expect((readings.value.stability.noise != nil) == (index == 14))
        }
    }

    @Test("a disturbance starts the statistics again", arguments: ["region", "frames", "controls", "state", "source"])
    func disturbance(what: String) {
        let publisher = publisher()
        publish(newFrames: 8, by: publisher)
        #expect(readings.value.stability.noise != nil)
        switch what {
        case "region": publisher.settings.region = .init(x: 0, y: 0, width: 0.5, height: 1)
        case "frames": publisher.settings.frames = 2
        case "controls": influence.update { $0.changeCount += 1 }
        case "state": publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        default: publisher.markDisturbance()
        }
        publish(newFrames: 7, by: publisher)
        #expect(readings.value.stability.noise == nil)
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
    }

    @Test("other changes do not disturb the statistics")
    func undisturbed() {
        let publisher = publisher()
        publish(newFrames: 8, by: publisher)
        publisher.settings.rate = 5
        publisher.settings.effect = "edges"
        revisions.update { $0.settings += 1 }
        revisions.update { $0.cameras += 1 }
        // Some controls change with every frame.
        revisions.update { $0.controls += 1 }
        influence.update { $0.activeAutoControls = ["Gain, Automatic"] }
        publish(newFrames: 1, by: publisher)
        #expect(readings.value.stability.noise != nil)
    }

    @Test("a reading's quality takes automatic controls, lost frames and darkness into account")
    func quality() {
        let publisher = publisher()
        publish(newFrames: 200, by: publisher)
        #expect(readings.value.quality?.flags.map(\.code) == [.dark])
        influence.publish(.init(activeAutoControls: ["Gain, Automatic"]))
        advance(by: 1)
        publisher.publish(
            .init(mean: RGB(r: 200, g: 200, b: 200)),
            of: .init(sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: now),
            camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 8,
            at: now)
        // 8 of 8 + 158 frames.
        #expect(readings.value.quality?.flags.map(\.code) == [.unsettled, .automatic, .lostFrames])
        #expect(readings.value.quality?.grade == .fair)
    }

    @Test("a reading without a colour has no quality")
    func noQuality() {
        let publisher = publisher()
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: now)
        #expect(readings.value.quality == nil)
    }
}
