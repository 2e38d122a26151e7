import Foundation
import Testing

@testable import Storage

@Suite("The names of tables")
struct DailyTableTests {
    @Test(
        "a day begins at midnight in UTC, on every day of the year",
        arguments: [
            (1_795_132_799.999, "swatchcam-2026-11-19.csv"), (1_795_132_800, "swatchcam-2026-11-20.csv"),
            // The hours in which Central Europe moves its clocks.
            (1_774_747_800, "swatchcam-2026-03-29.csv"), (1_792_887_600, "swatchcam-2026-10-25.csv"),
            (1_709_164_800, "swatchcam-2024-02-29.csv"), (0, "swatchcam-1970-01-01.csv"),
        ])
    func day(seconds: Double, name: String) {
        let table = DailyTable(of: Date(timeIntervalSince1970: seconds))
        #expect(table.name == name)
        #expect(DailyTable(name: name) == table)
    }

    @Test("the marks of a day have a table of their own, which follows that of the readings")
    func marks() throws {
        let marks = DailyTable(of: Date(timeIntervalSince1970: 1_795_132_800), .marks)
        #expect(marks.name == "swatchcam-2026-11-20.marks.csv")
        #expect(marks.asideName(2) == "swatchcam-2026-11-20.marks.other-2.csv")
        #expect(DailyTable(name: marks.name) == marks)
        let readings = try #require(DailyTable(name: "swatchcam-2026-11-20.csv"))
        #expect(readings.content == .readings && readings.start == Date(timeIntervalSince1970: 1_795_132_800))
        #expect(readings < marks)
        #expect(marks < DailyTable(of: Date(timeIntervalSince1970: 1_795_219_200)))
    }

    @Test("the probes of a day have a table of their own, which is of the same day as that of the readings")
    func probes() {
        let probes = DailyTable(of: Date(timeIntervalSince1970: 1_795_132_800), .probes)
        #expect(probes.name == "swatchcam-probes-2026-11-20.csv")
        #expect(probes.asideName(2) == "swatchcam-probes-2026-11-20.other-2.csv")
        #expect(DailyTable(name: probes.name) == probes)
        #expect(probes.day == "2026-11-20")
    }

    @Test(
        "a file with any other name is not taken for a table",
        arguments: [
            "swatchcam-2026-11-2.csv", "swatchcam-2026-11-20.csv.bak", "xswatchcam-2026-11-20.csv",
            "swatchcam-2026-11-20.CSV", "swatchcam-2026-02-30.csv", "swatchcam-2026-13-01.csv", "swatchcam-.csv",
            "swatchcam-2026-11-20.other-1.csv", "swatchcam-2026-11-20.mark.csv", "swatchcam-२०२६-11-20.csv",
            "swatchcam-2026-11-20.csv\n", "", "swatchcam-probes-2026-11-20.marks.csv", "swatchcam-probes-.csv",
        ])
    func other(name: String) {
        #expect(DailyTable(name: name) == nil)
    }
}
