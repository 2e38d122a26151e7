import Color
import Foundation
import TestSupport
import Testing

@testable import Metrology

@Suite("Lights")
struct LightTrackerTests {
    private static let room = LinearRGB(r: 0.02, g: 0.02, b: 0.02)
    private static let glow = LinearRGB(r: 0.5, g: 0.05, b: 0.02)

    /// What is known about a light after some seconds, during which a function says whether it is on.
    private func state(
        seconds: Double = 20, rate: Double = 30, room: (Double) -> LinearRGB = { _ in room }, level: Double = 0.2,
        glow: LinearRGB? = glow, isOn: (Double) -> Bool
    ) throws -> LightState {
        var tracker = LightTracker()
        var random = SeededGenerator(seed: 3)
        for index in 0..<Int(seconds * rate) {
            let time = Double(index) / rate
            let noise = Double.random(in: -0.0005...0.0005, using: &random)
            let isOn = isOn(time)
            tracker.add(time: time, level: (isOn ? level : 0) + noise, room: room(time), glow: isOn ? glow : nil)
        }
        let state = tracker.state()
        return try #require(state)
    }

    private static func blinks(_ hz: Double, duty: Double = 0.5) -> (Double) -> Bool {
        { time in (time * hz).truncatingRemainder(dividingBy: 1) < duty }
    }

    @Test("one that was never seen to change is on if it shines far above the noise")
    func steady() throws {
        #expect(try state { _ in true }.on == true)
        #expect(try state { _ in false }.on == false)
    }

    @Test("one that was never seen to change, and is no brighter than a surface could be, cannot be told")
    func gloss() throws {
        let dim = try state(room: { _ in LinearRGB(r: 0.5, g: 0.5, b: 0.5) }, level: 0.1) { _ in true }
        #expect(dim.on == nil)
        #expect(try #require(dim.reason).contains("switch it off and on once"))
    }

    @Test("one that has been on and off is told by these two levels, whatever the surface throws back")
    func twoLevels() throws {
        var tracker = LightTracker()
        for index in 0..<600 {
            let isOn = index / 100 % 2 == 1
            tracker.add(time: Double(index) / 30, level: isOn ? 0.3 : 0.1, room: Self.room, glow: nil)
        }
        var state = tracker.state()
        #expect(state?.on == true)
        tracker.add(time: 20.1, level: 0.1, room: Self.room, glow: nil)
        state = tracker.state()
        #expect(state?.on == false)
    }

    @Test(
        "one that changes between a bright and a dark colour is on in both, and off when it is off", arguments: [0, 2])
    func colors(secondsOff: Double) throws {
        // 20 s of green, 20 s of red, which has a quarter of the luminance, and perhaps off in between.
        var tracker = LightTracker()
        let room = LinearRGB(r: 0.01, g: 0.01, b: 0.01)
        for index in 0..<3600 {
            let time = Double(index) / 30
            let (phase, isGreen) = (time.truncatingRemainder(dividingBy: 20), Int(time / 20) % 2 == 0)
            let isOff = phase < secondsOff
            let glow = isGreen ? LinearRGB(r: 0.04, g: 0.55, b: 0.08) : LinearRGB(r: 0.5, g: 0.01, b: 0.01)
            tracker.add(
                time: time, level: isOff ? 0 : isGreen ? 0.4 : 0.1, room: room, glow: isOff ? nil : glow)
            guard index % 15 == 0, time > 50, phase > 5 || isOff && phase > 1 else { continue }
            let newest = tracker.state()
            let state = try #require(newest)
            try #require(state.on == !isOff, "at \(time) s")
            if !isOff { try #require(abs(try #require(state.glow).r - glow.r) < 1e-6, "at \(time) s") }
        }
    }

    @Test(
        "one that is off is not on because it reflects a window, or is lit by the lamp beside it",
        arguments: [
            (0.1, LinearRGB(r: 0.5, g: 0.5, b: 0.45)), (0.04, LinearRGB(r: 0.5, g: 0.05, b: 0.05)),
        ])
    func spill(level: Double, glow: LinearRGB) {
        var tracker = LightTracker()
        for index in 0..<1200 {
            let isOn = index / 100 % 4 == 1
            tracker.add(
                time: Double(index) / 30, level: isOn ? 0.4 : level, room: LinearRGB(r: 0.01, g: 0.01, b: 0.01),
                glow: isOn ? LinearRGB(r: 0.04, g: 0.55, b: 0.08) : glow)
        }
        let state = tracker.state()
        #expect(state?.on == false)
    }

    @Test("its levels are remembered for longer than frames are kept")
    func remembered() throws {
        var tracker = LightTracker()
        for index in 0..<6000 {
            let isOn = index < 300 && index / 50 % 2 == 1
            tracker.add(time: Double(index) / 30, level: isOn ? 0.3 : 0.1, room: Self.room, glow: nil)
            if index % 8 == 0 { _ = tracker.state() }
        }
        let state = tracker.state()
        #expect(state?.on == false)
    }

    @Test(
        "blinking is measured from two whole periods on",
        arguments: [(0.2, 0.5, 30.0), (1, 0.5, 30), (1, 0.1, 30), (8, 0.5, 30), (1.6, 0.5, 5), (3, 0.7, 15)])
    func blinking(hz: Double, duty: Double, rate: Double) throws {
        let state = try state(rate: rate, isOn: Self.blinks(hz, duty: duty))
        #expect(state.on == true)
        #expect(abs(try #require(state.hz) / hz - 1) < 0.05)
        #expect(abs(try #require(state.duty) - duty) < 0.1)
        let early = try self.state(seconds: 1.7 / hz, rate: rate, isOn: Self.blinks(hz, duty: duty))
        #expect(early.hz == nil)
    }

    @Test("blinking at more than a third of the frame rate cannot be told")
    func tooFast() throws {
        let state = try state(isOn: Self.blinks(12))
        #expect(state.on == nil && state.hz == nil)
        #expect(try #require(state.reason).contains("too fast for this camera"))
    }

    @Test("blinking that has stopped is over")
    func stopped() throws {
        let blinks = Self.blinks(2)
        let state = try state { $0 < 15 && blinks($0) }
        #expect(state.on == false && state.hz == nil)
    }

    @Test("irregular changes have no rate")
    func irregular() throws {
        let times = [0.0, 1, 1.3, 4, 4.5, 5, 8, 8.2, 12, 13, 13.5, 14.2, 17, 19.5]
        let state = try state { time in times.prefix { $0 <= time }.count % 2 == 1 }
        #expect(state.hz == nil && state.duty == nil)
        #expect(state.reason == "It blinks irregularly.")
    }

    @Test("a level that varies without two values is that of a light that is dimmed by PWM")
    func flicker() throws {
        var tracker = LightTracker()
        for index in 0..<300 {
            let share = (Double(index) * 0.37).truncatingRemainder(dividingBy: 1)
            tracker.add(time: Double(index) / 30, level: 0.05 + 0.3 * share, room: Self.room, glow: nil)
        }
        let found = tracker.state()
        let state = try #require(found)
        #expect(state.on == nil)
        #expect(try #require(state.reason).contains("too fast for this camera"))
    }

    @Test("a room that darkens whenever the light is on shows that the exposure follows the light")
    func exposure() throws {
        let blinks = Self.blinks(0.5)
        let state = try state(
            room: { time in blinks(time) ? LinearRGB(r: 0.01, g: 0.01, b: 0.01) : LinearRGB(r: 0.05, g: 0.05, b: 0.05)
            },
            isOn: blinks)
        #expect(state.on == nil)
        #expect(try #require(state.reason).contains("lock the automatic exposure"))
    }

    @Test("surroundings that are nearly overexposed outshine a light")
    func outshone() throws {
        let state = try state(room: { _ in LinearRGB(r: 0.9, g: 0.9, b: 0.9) }) { _ in true }
        #expect(state.on == nil)
        #expect(try #require(state.reason).contains("shade the light"))
    }

    @Test("the glow is the mean of the frames in which the light is on")
    func glow() throws {
        let glow = try #require(try state(isOn: Self.blinks(2)).glow)
        #expect(abs(glow.r - 0.5) < 1e-6)
        #expect(try state { _ in false }.glow == nil)
    }

    @Test("the glow of a light that has just gone on is that of the frames since then")
    func firstGlow() throws {
        var tracker = LightTracker()
        for index in 0..<40 {
            let isOn = index == 39
            tracker.add(
                time: Double(index) / 30, level: isOn ? 0.3 : 0, room: Self.room,
                glow: isOn ? Self.glow : LinearRGB(r: 0.001, g: 0.001, b: 0.001))
        }
        let state = tracker.state()
        #expect(abs(try #require(state?.glow).r - 0.5) < 1e-6)
    }

    @Test("a light without a pixel that is bright and not overexposed has no colour")
    func overexposed() throws {
        let state = try state(glow: nil) { _ in true }
        #expect(state.on == true && state.glow == nil)
        #expect(try #require(state.reason).contains("overexposed"))
    }

    @Test("what happened while frames were missing is not counted as blinking")
    func gaps() throws {
        var tracker = LightTracker()
        for index in 0..<600 where index % 60 < 20 {
            let time = Double(index) / 30
            tracker.add(time: time, level: index / 60 % 2 == 0 ? 0.3 : 0, room: Self.room, glow: nil)
        }
        let state = tracker.state()
        #expect(state?.hz == nil)
    }

    @Test("blinking is measured between frames that were lost now and then, and it ends when the light does")
    func lostFrames() throws {
        var tracker = LightTracker()
        let isOn = Self.blinks(1, duty: 0.3)
        for index in 0..<1200 where index % 90 > 5 {
            let time = Double(index) / 30
            tracker.add(time: time, level: time < 35 && isOn(time) ? 0.3 : 0, room: Self.room, glow: Self.glow)
            guard time > 8, index % 10 == 0 else { continue }
            let newest = tracker.state()
            let state = try #require(newest)
            if time < 35 {
                try #require(abs(try #require(state.hz, "at \(time) s") - 1) < 0.02, "at \(time) s")
                try #require(abs(try #require(state.duty) - 0.3) < 0.05, "at \(time) s: \(state.duty ?? 0)")
            } else if time > 38 {
                try #require(state.hz == nil && state.on == false, "at \(time) s")
            }
        }
    }
}

/// Random lights in random rooms, as cameras of 5 to 60 frames a second see them.
@Suite("Simulated lights")
struct LightSimulationTests {
    private static let scenes =
        ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"].flatMap { Int($0) } ?? 60

    private static let isComplete = ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"] != nil

    private struct Outcome {
        var steady = 0
        var rightOn = 0
        var wrongOn = 0
        var blinking = 0
        var rightRate = 0
        var rightDuty = 0
    }

    @Test("on and off, the rate and the duty are right, or it says that it cannot tell", arguments: [5.0, 15, 30, 60])
    func scenes(rate: Double) throws {
        var random = SeededGenerator(seed: UInt64(rate))
        var outcome = Outcome()
        for scene in 0..<Self.scenes { try simulate(scene % 4, rate, &random, &outcome) }
        if Self.isComplete { print(rate, outcome) }
        #expect(Double(outcome.wrongOn) <= 0.001 * Double(outcome.steady))
        #expect(Double(outcome.rightOn) >= 0.9 * Double(outcome.steady))
        #expect(Double(outcome.rightRate) >= 0.95 * Double(outcome.blinking))
        #expect(Double(outcome.rightDuty) >= 0.95 * Double(outcome.blinking))
    }

    private func simulate(
        _ kind: Int, _ rate: Double, _ random: inout SeededGenerator, _ outcome: inout Outcome
    ) throws {
        func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        func logarithmic(_ least: Double, _ ratio: Double) -> Double { least * exp(uniform(0...1) * log(ratio)) }
        let (hz, duty, phase) = (logarithmic(0.2, 40), uniform(0.1...0.9), uniform(0...10))
        let exposure = min(uniform(0.001...0.030), 0.9 / rate)
        let (power, brightness) = (logarithmic(0.02, 20), logarithmic(0.005, 60))
        let (noise, relativeNoise) = (uniform(0.0002...0.001), uniform(0.001...0.01))
        let (swing, speed, gloss) = (uniform(0...0.3), uniform(0.01...0.2), uniform(0...0.2))
        var changes: [Double] = [uniform(2...8)]
        while changes[changes.count - 1] < 60 { changes.append(changes[changes.count - 1] + uniform(2...12)) }
        func isOn(_ time: Double) -> Bool {
            switch kind {
            case 0: false
            case 1: true
            case 2: changes.prefix { $0 <= time }.count % 2 == 1
            default: ((time + phase) * hz).truncatingRemainder(dividingBy: 1) < duty
            }
        }
        let canTellRate = hz <= 0.95 * rate / 3 && min(duty, 1 - duty) / hz >= 1.2 / rate + exposure
        var tracker = LightTracker()
        var due = 30.0
        for index in 0..<Int(40 * rate) {
            let time = Double(index) / rate
            let light = brightness * (1 + swing * sin(2 * .pi * speed * time))
            let lit = Double((0..<16).count { isOn(time - exposure * (Double($0) + 0.5) / 16) }) / 16
            let deviation = noise + relativeNoise * (light + power * lit)
            // The sum of twelve uniform variables is nearly normal.
            let normal = (0..<12).reduce(-6.0) { sum, _ in sum + uniform(0...1) }
            tracker.add(
                time: time, level: power * lit + gloss * light + deviation * normal,
                room: LinearRGB(r: light, g: light, b: light), glow: nil)
            guard time >= due else { continue }
            due += 0.25
            let found = tracker.state()
            let state = try #require(found)
            func lightness(_ y: Double) -> Double { CIELab(LinearRGB(r: 1, g: 1, b: 1) * min(y, 1)).lightness }
            let isVisible = lightness(light * (1 + gloss) + power) - lightness(light * (1 + gloss)) > 5
            if kind < 3 {
                let isChanging = kind == 2 && changes.contains { abs($0 - time) < 0.5 + 2 / rate }
                guard !isChanging, kind == 0 || isVisible else { continue }
                outcome.steady += 1
                if state.on == isOn(time - exposure / 2) {
                    outcome.rightOn += 1
                } else if state.on != nil {
                    outcome.wrongOn += 1
                }
            } else if isVisible, canTellRate {
                outcome.blinking += 1
                if let found = state.hz, abs(found / hz - 1) <= 0.05 { outcome.rightRate += 1 }
                if let found = state.duty, abs(found - duty) <= 0.1 { outcome.rightDuty += 1 }
            }
        }
    }
}
