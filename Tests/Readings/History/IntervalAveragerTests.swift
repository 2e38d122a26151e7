import Color
import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("Averages over intervals of the clock")
struct IntervalAveragerTests {
    /// A multiple of a day since 1970.
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)

    /// Returns the seconds, the counts and the means of the intervals that readings at these seconds make.
    private func intervals(_ length: Double, _ readings: [(seconds: Double, grey: Double)]) throws -> [[Double]] {
        var averager = IntervalAverager(length: length)
        let complete = try readings.compactMap { reading in
            averager.add(try #require(.grey(reading.grey, at: Self.midnight + reading.seconds)))
        }
        return (complete + [averager.finish()].compactMap(\.self)).map {
            [$0.time.timeIntervalSince(Self.midnight), Double($0.count), $0.color.mean.r]
        }
    }

    @Test("the readings of an interval are averaged, and it begins at a multiple of its length")
    func mean() throws {
        #expect(try intervals(10, [(12, 10), (19.75, 20), (20, 30)]) == [[10, 2, 15], [20, 1, 30]])
        // An interval at midnight belongs to one day only.
        #expect(try intervals(10, [(86_399.9, 10), (86_400, 20)]) == [[86_390, 1, 10], [86_400, 1, 20]])
    }

    @Test("if the clock is turned back, an interval may come twice")
    func turnedBack() throws {
        #expect(try intervals(10, [(20, 10), (5, 20), (20, 30)]) == [[20, 1, 10], [0, 1, 20], [20, 1, 30]])
    }

    @Test("an interval is complete once its time has passed, and only then")
    func finish() throws {
        var averager = IntervalAverager(length: 10)
        _ = averager.add(try #require(.grey(1, at: Self.midnight)))
        #expect(averager.finish(at: Self.midnight + 9.999) == nil)
        #expect(averager.finish(at: Self.midnight + 10)?.count == 1)
        #expect(averager.finish(at: Self.midnight + 20) == nil)
    }
}
