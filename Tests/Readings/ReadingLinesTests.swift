import Color
import Foundation
import Handoff
import TestSupport
import Testing

@testable import Documents
@testable import Readings

@Suite("Readings as printed lines")
struct ReadingLinesTests {
    /// A whole minute.
    private static let start = Date(timeIntervalSince1970: 1_795_203_000)

    /// A grey reading, some seconds after the start.
    private func reading(_ seconds: Double, grey: Double = 100, frame: UInt32? = nil) -> Reading {
        .sample.with { reading in
            reading.time = Self.start + seconds
            reading.mean = .init(r: grey, g: grey, b: grey)
            reading.frame?.sequence = frame ?? UInt32(seconds * 100)
        }
    }

    /// Prints readings that come at their times, and the rest at the end.
    private func printed(_ lines: ReadingLines, _ readings: [Reading]) -> [ReadingLines.Output] {
        var lines = lines
        var output: [ReadingLines.Output] = []
        for reading in readings {
            let now = MonotonicTime(nanoseconds: 0) + reading.time.timeIntervalSince(Self.start)
            output += lines.add(reading, at: now)
            if lines.isOver { break }
        }
        return output + [lines.finish()].compactMap(\.self)
    }

    /// Returns the seconds, the numbers of readings and the red of the rows of a table, without its header.
    private func rows(_ lines: ReadingLines, _ readings: [Reading]) -> [[Double]] {
        printed(lines, readings).dropFirst().map { output in
            guard case .table(let text) = output else {
                Issue.record("not a row: \(output)")
                return []
            }
            let cells = text.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = [cells[0], cells[2], cells[6]].compactMap { Double($0) }
            if numbers.count != 3 { Issue.record("a cell without a number: \(text)") }
            return numbers
        }
    }

    private let table = ReadingLines.Style.table(.standard, hasComments: false)

    @Test(
        "a colour alone is printed in every notation of CSS",
        arguments: [
            (ReadingNotation.hex, "#3FA7D6"), (.rgb, "rgb(63 167 214)"), (.hsl, "hsl(198.6 64.8% 54.3%)"),
            (.hwb, "hwb(198.6 24.6% 16.1%)"), (.lab, "lab(64.1 -19.5 -33.2)"), (.lch, "lch(64.1 38.4 239.6)"),
            (.oklab, "oklab(0.689 -0.072 -0.091)"), (.oklch, "oklch(0.689 0.116 231.5)"),
        ])
    func notation(notation: ReadingNotation, text: String) {
        #expect(printed(ReadingLines(.notation(notation)), [.sample]) == [.line(text)])
    }

    @Test("as many lines are printed as requested")
    func count() {
        #expect(printed(ReadingLines(.line, count: 2), (0..<5).map { reading(Double($0)) }).count == 2)
    }

    @Test("one line is printed in each period of the clock")
    func every() {
        let times = [0.5, 0.75, 1.0, 1.25, 4.999, 5.0]
        var lines = ReadingLines(.line, every: 1)
        let printed = times.map { lines.add(reading($0), at: MonotonicTime(nanoseconds: 0)).count }
        #expect(printed == [1, 0, 1, 0, 1, 1])
    }

    @Test("the duration begins with the first reading, and no line is printed at its end")
    func duration() {
        var lines = ReadingLines(.line, duration: 10)
        let printed = [100.0, 109.999, 110, 111].map { seconds in
            lines.add(reading(seconds), at: MonotonicTime(nanoseconds: 0) + seconds).count
        }
        #expect(printed == [1, 1, 0, 0])
        #expect(lines.isOver)
    }

    @Test("a table has a row for each reading, but one for readings of the same frame")
    func rowForEach() {
        let readings = [reading(0.25, grey: 10, frame: 1), reading(0.5, grey: 10, frame: 1), reading(0.75, grey: 20)]
        #expect(rows(ReadingLines(table), readings) == [[0, 1, 10], [0.5, 1, 20]])
    }

    @Test("a table has a row for each frame of a driver that does not number frames")
    func unnumberedFrames() {
        let readings = [0, 1, 1, 2].map { time in
            reading(0.5 * time, frame: 0).with { $0.frame?.time = MonotonicTime(nanoseconds: Int64(time)) }
        }
        #expect(rows(ReadingLines(table), readings).count == 3)
    }

    @Test("a row is the mean of its period, and the last one may be incomplete")
    func means() {
        let readings = [reading(0.5, grey: 10), reading(1, grey: 20), reading(1.5, grey: 40), reading(2, grey: 50)]
        #expect(rows(ReadingLines(table, every: 1), readings) == [[0, 1, 10], [1, 2, 30], [2, 1, 50]])
    }

    @Test("a limited number of rows are all complete")
    func completeRows() {
        let readings = [reading(0.5, grey: 10), reading(1, grey: 20), reading(2, grey: 50)]
        #expect(rows(ReadingLines(table, count: 2, every: 1), readings) == [[0, 1, 10], [1, 1, 20]])
    }

    @Test("a table begins with its header, below the comments if they are wanted")
    func header() throws {
        let format = try #require(CSVFormat(separator: ";", decimalPoint: ","))
        let lines = ReadingLines(.table(format, hasComments: true)) { ["camera: \($0.camera?.name ?? "")"] }
        let printed = printed(lines, [reading(0, grey: 12.5)])
        #expect(printed.first == .table("# camera: HD Pro Webcam C920\r\n" + ReadingCSV(format).header))
        guard case .table(let row) = printed.last else { return #expect(Bool(false)) }
        #expect(row.hasPrefix("0,000;2026-11-20T19:30:00.000Z;1;"))
        #expect(row.contains(";12,5000;12,5000;12,5000;"))
    }

    @Test("a table without a reading is empty")
    func empty() { #expect(printed(ReadingLines(table, every: 1), []).isEmpty) }
}
