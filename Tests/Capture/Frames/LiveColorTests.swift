import Color
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings

@Suite("The age of a live colour", .timeLimit(.minutes(20)))
final class LiveColorTests: PumpSuite {
    @Test("whatever frames, demands and rests follow one another, no colour is live beyond its limit")
    func property() throws {
        var live = 0
        for seed in 0..<Self.sequences {
            readings.publish(.none)
            var random = SeededGenerator(seed: UInt64(seed))
            config.update { $0.effective.readings.rate = [0.5, 1, 4, 30].randomElement(using: &random) ?? 4 }
            let rate = config.value.effective.readings.rate
            let idle = Demand(rest: Rest(waker))
            var source = AnySource(clock, random: random)
            var pump = try pump(of: source, for: idle)
            var (watcher, answers) = (InterestToken?.none, Demand.Answers?.none)
            var longestPeriod = 1.0

            func check(_ reading: Reading) {
                guard reading.state.hasColor, let value = reading.rgb?.r else { return }
                live += 1
                let age = clock.now - source.captureTimes[Int(value)]
                let limit = max(3, 3 / rate, 4 * longestPeriod)
                #expect(age < limit, "seed \(seed): \(age) s instead of \(limit) s")
            }

            for _ in 0..<Self.steps {
                switch Int.random(in: 0..<12, using: &random) {
                case 0: watcher = idle.watch()
                case 1: watcher = nil
                case 2: answers = idle.requestReading()
                case 3: answers = nil
                // The capture thread is late, or hangs.
                case 4: clock.advance(by: .random(in: 0...20, using: &random))
                default: break
                }
                check(readings.value.asOf(clock.now))
                let sequence = readings.value.sequence
                _ = try pump.step(&source, waker: waker)
                longestPeriod = max(longestPeriod, idle.framePeriod)
                check(readings.value.asOf(clock.now))
                // What is pushed is not looked at again.
                if readings.value.sequence != sequence { check(readings.value) }
            }
            withExtendedLifetime((watcher, answers)) {}
        }
        // The property would also hold if nothing were ever live.
        #expect(live > Self.sequences * Self.steps / 4)
    }

    private static let sequences = 500
    private static let steps = 100
}

/// A source of good, damaged, empty, flagged, stale, repeated and missing frames in any order. The grey of a good frame is
/// its number.
private struct AnySource: ~Copyable, FrameSource {
    let format = FrameFormat(
        fourCC: "GREY", width: 4, height: 4, planes: [.init(bytesPerLine: 4, sizeImage: 16)],
        colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange), framesPerSecond: 15)
    private(set) var counters = FrameCounters()
    /// The times of capture by grey.
    private(set) var captureTimes = [MonotonicTime](repeating: MonotonicTime(nanoseconds: 0), count: 256)
    private let clock: ManualClock
    private var random: SeededGenerator
    private var sequence: UInt32 = 0
    /// The event that repeats for a while, so that there are times of damaged frames only.
    private var event = 0
    private var repetitions = 0

    init(_ clock: ManualClock, random: SeededGenerator) { (self.clock, self.random) = (clock, random) }

    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result? {
        while true {
            if repetitions == 0 {
                event = .random(in: 0..<8, using: &random)
                repetitions = [1, 5, 40].randomElement(using: &random) ?? 1
            }
            repetitions -= 1
            let due = clock.now + .random(in: 0.02...0.7, using: &random)
            guard due < deadline else {
                clock.advance(to: deadline)
                return nil
            }
            clock.advance(to: due)
            switch event {
            case 0...2:
                // It arrives late, or its driver stamps it with a time in the future.
                let captured = event == 2 ? due + -.random(in: 0...6, using: &random) : due
                let stamp = event == 1 ? due + .random(in: 0...60, using: &random) : captured
                let grey = Int(sequence % 256)
                captureTimes[grey] = captured
                return lend([UInt8](repeating: UInt8(grey), count: 16), stamp, body)
            case 3: return lend([1, 2, 3], due, body)
            case 4: counters.empty += 1
            case 5: counters.flagged += 1
            case 6: counters.repeated += 1
            default: break
            }
        }
    }

    private mutating func lend<Result>(
        _ bytes: [UInt8], _ time: MonotonicTime, _ body: (borrowing Frame) -> Result
    ) -> Result {
        defer { sequence += 1 }
        counters.add(sequence: sequence, superseded: 0)
        return body(Frame(info: FrameInfo(sequence: sequence, timestamp: time)) { bytes })
    }
}
