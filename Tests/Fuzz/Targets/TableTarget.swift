import Color
import FoundationEssentials

@testable import Readings
@testable import Storage

/// A target for the tables in the folder of the history, which must give plausible figures that stay the same when they
/// are written and read again.
enum TableTarget: FuzzTarget {
    static let name = "table"

    static var seeds: [String: [UInt8]] {
        let time = "2026-11-20T00:00:10.000Z"
        let row =
            "10.000,\(time),40,0.049707,0.386430,0.672443,63.0000,167.0000,214.0000,\"#3FA7D6\",64.105,-19.466,-33.206,"
            + "0.288,0.347,0.690,0.1000,0.000000,0.010000,0.000000,fair,clipped-high uneven,live,"
            + "62.0000,166.0000,213.0000,64.0000,168.0000,215.0000,63.900,64.300\r\n"
        let texts = [
            "day": ReadingCSV().header + row + row.replacing("00:10", with: "00:20"),
            "few": "state,b,g,r,n,time_iso\nlive,1,2,3,4,\(time)\ntest-pattern,0x1p3,1e2,255,1000000000,\(time)\n",
            "comment": "# Swatchcam\r\n" + ReadingCSV().header + row.dropLast(9),
            "marks":
                "\(MarkCSV.header)\(time),user,\"Reagent \"\"A\"\", added\",,,,\r\n\(time),settings,\"camera: x\",,,,\r\n",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        let lines = lines(bytes, pieceSize: bytes.count + 1)
        try check(lines == Self.lines(bytes, pieceSize: 7), "the lines depend on the pieces in which they are read")
        let texts = lines.compactMap { $0.map { String(decoding: $0, as: UTF8.self) } }
        for text in texts { try checkRewriting(mark: MarkCSV.mark(text)) }
        guard let header = texts.first, let reader = ReadingCSV.Reader(header: header) else { return }
        var averager = IntervalAverager(length: 10)
        for text in texts.dropFirst() {
            guard let row = reader.summary(text) else { continue }
            try checkRewriting(row)
            if let mean = averager.add(row) { try checkFigures(mean) }
        }
        if let mean = averager.finish() { try checkFigures(mean) }
    }

    private static func lines(_ bytes: [UInt8], pieceSize: Int) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        var splitter = LineSplitter(maxLength: 1000)
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            splitter.add(Array(bytes[start..<min(start + pieceSize, bytes.count)])) { lines.append($0.map(Array.init)) }
        }
        return lines
    }

    private static func checkRewriting(mark: Mark?) throws(Finding) {
        guard let mark else { return }
        let line = MarkCSV.line(mark)
        guard let again = MarkCSV.mark(line) else { throw Finding(sentence: "a mark is not read back: \(line)") }
        // Reading removes an apostrophe before a formula, which the text may have had already; after that, nothing may
        // change.
        let last = MarkCSV.mark(MarkCSV.line(again)) ?? mark
        try check(again == last, "a mark changes: \(line)")
        try check(again.time == mark.time && again.kind == mark.kind, "a mark is another one: \(line)")
    }

    private static func checkRewriting(_ row: ReadingSummary) throws(Finding) {
        try checkFigures(row)
        let csv = ReadingCSV()
        guard let reader = ReadingCSV.Reader(header: csv.header) else { throw Finding(sentence: "no reader") }
        let written = csv.line(row, since: row.time)
        guard let first = reader.summary(written) else { throw Finding(sentence: "a row is not read back: \(written)") }
        // The first time rounds; after that, nothing may change.
        let again = csv.line(first, since: first.time)
        guard let second = reader.summary(again) else { throw Finding(sentence: "a row is not read back: \(again)") }
        let last = csv.line(second, since: second.time)
        try check(again == last, "a row changes from \(again) to \(last)")
    }

    private static func checkFigures(_ row: ReadingSummary) throws(Finding) {
        let (mean, least, most) = (row.color.mean, row.color.minimum, row.color.maximum)
        for (least, mean, most) in [(least.r, mean.r, most.r), (least.g, mean.g, most.g), (least.b, mean.b, most.b)] {
            // The ends have single precision.
            try check(
                -1e-4 <= least && least <= mean + 1e-4 && mean <= most + 1e-4 && most <= 255.0001,
                "\(least), \(mean), \(most) are not in order")
        }
        let lightness = row.lightness
        try check(
            lightness.minimum <= lightness.mean + 1e-4 && lightness.mean <= lightness.maximum + 1e-4
                && -1e-4...100.0001 ~= lightness.mean, "L* \(lightness)")
        try check(row.count >= 1, "\(row.count) readings")
        try check(row.noise.map { 0...1000.001 ~= $0 } ?? true, "noise \(String(describing: row.noise))")
    }
}
