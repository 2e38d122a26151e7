import Foundation
import Testing

@testable import Color
@testable import Palettes

@Suite("Exported colours")
struct PaletteFormatTests {
    private static let names = ["Leaf", "Grün, „blau“; 紅 📷", "a \"b\" # c", "=SUM(A1)", "-5", "𝒜", "x"]

    private static let two = [
        Palette.Entry(name: "Leaf", rgb: RGB(r: 62.81, g: 167.2, b: 213.97)),
        Palette.Entry(name: "Sample 1", rgb: RGB(r: 0, g: 128, b: 255)),
    ]

    /// Returns colours with awkward names, some of them outside of sRGB.
    private var entries: [Palette.Entry] {
        let labs = [
            CIELab(lightness: 64.121, a: -19.476, b: -33.151), CIELab(lightness: 49.57, a: -29.71, b: -28.32),
            CIELab(lightness: 0, a: 0, b: 0), CIELab(lightness: 100, a: 0, b: 0), CIELab(lightness: 50, a: 0, b: 0),
            CIELab(lightness: 81.8, a: 2.67, b: 80.41), CIELab(lightness: 20.64, a: 0.07, b: -0.46),
        ]
        return zip(Self.names, labs).map { .init(name: $0, lab: $1) }
    }

    @Test("a GIMP palette has a colour with its name on each line")
    func gimp() {
        let data = PaletteFormat.gimp.data(Self.two, title: "Swatchcam samples")
        #expect(
            String(decoding: data, as: UTF8.self) == """
                GIMP Palette
                Name: Swatchcam samples
                Columns: 8
                #
                 63 167 214\tLeaf
                  0 128 255\tSample 1

                """)
    }

    @Test("a table by CGATS.17 has CIELAB and the name of each colour, and says for which light")
    func table() {
        let data = PaletteFormat.measurementTable.data(Self.two, title: "Swatchcam samples")
        #expect(
            String(decoding: data, as: UTF8.self) == """
                CGATS.17
                ORIGINATOR "Swatchcam"
                DESCRIPTOR "Swatchcam samples"
                KEYWORD "WEIGHTING_FUNCTION"
                WEIGHTING_FUNCTION "ILLUMINANT, D50"
                WEIGHTING_FUNCTION "OBSERVER, 2 degree"

                NUMBER_OF_FIELDS 5
                BEGIN_DATA_FORMAT
                SAMPLE_ID SAMPLE_NAME LAB_L LAB_A LAB_B
                END_DATA_FORMAT

                NUMBER_OF_SETS 2
                BEGIN_DATA
                1 "Leaf" 64.1209 -19.4763 -33.1508
                2 "Sample 1" 53.5320 8.6654 -72.5595
                END_DATA

                """)
    }

    @Test("Adobe's formats have the colours as shares of red, green and blue, and the names in UTF-16")
    func adobe() {
        let red = Palette.Entry(name: "R", rgb: RGB(r: 255, g: 0, b: 0))
        let color: [UInt8] = [0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
        #expect(
            Array(PaletteFormat.adobeColor.data([red], title: ""))
                == [0, 1, 0, 1] + color + [0, 2, 0, 1] + color + [0, 0, 0, 2, 0, 82, 0, 0])
        #expect(
            Array(PaletteFormat.adobeSwatchExchange.data([red], title: ""))
                == Array("ASEF".utf8) + [0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 24, 0, 2, 0, 82, 0, 0]
                + Array("RGB ".utf8) + [0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    }

    @Test("what is exported is read back, with its names and colours", arguments: PaletteFormat.allCases)
    func roundTrip(format: PaletteFormat) throws {
        let back = try PaletteFile.palette(format.data(entries, title: "Test")).entries
        #expect(back.map(\.name) == Self.names)
        #expect(back.map(\.hex) == entries.map(\.hex))
        for (one, two) in zip(back, entries) {
            // Only the table has colours that sRGB does not hold, and a palette of GIMP only whole channels.
            let expected = format == .measurementTable ? two.lab : CIELab(RGB(two.lab).map { min(max($0, 0), 255) })
            #expect(one.lab.deltaE76(to: expected) < (format == .gimp ? 1 : format == .measurementTable ? 1e-4 : 0.01))
        }
    }

    @Test("a name cannot add a line to a palette", arguments: PaletteFormat.allCases)
    func lines(format: PaletteFormat) throws {
        let entry = Palette.Entry(name: "a\n1 2 3\tb\r\"\n2 \"x\" 1 2 3", rgb: RGB(r: 0, g: 128, b: 255))
        let back = try PaletteFile.palette(format.data([entry], title: "Test")).entries
        #expect(back.count == 1 && back[0].name == "a\u{FFFD}1 2 3\u{FFFD}b\u{FFFD}\"\u{FFFD}2 \"x\" 1 2 3")
    }

    @Test("all 1,000 samples are exported", arguments: PaletteFormat.allCases)
    func count(format: PaletteFormat) throws {
        let many = (0..<1000).map { Palette.Entry(name: "Sample \($0)", rgb: RGB(r: Double($0 % 256), g: 7, b: 255)) }
        #expect(try PaletteFile.palette(format.data(many, title: "Test")).entries.map(\.name) == many.map(\.name))
    }

    /// The program of Argyll that compares two tables.
    private static let colverify = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: "\($0)/colverify") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    @Test(
        "Argyll reads an exported table, and computes the same differences",
        .enabled(if: colverify != nil, "needs colverify; install the package argyll"))
    func argyll() throws {
        let folder = URL.temporaryDirectory.appending(path: "swatchcam-argyll-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let others = entries.map { entry in
            Palette.Entry(
                name: entry.name,
                lab: CIELab(lightness: entry.lab.lightness * 0.97, a: entry.lab.a + 2, b: entry.lab.b - 1))
        }
        for (name, list) in [("one.txt", entries), ("two.txt", others)] {
            try PaletteFormat.measurementTable.data(list, title: "Test").write(to: folder.appending(path: name))
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.colverify
        process.currentDirectoryURL = folder
        process.arguments = ["-k", "one.txt", "two.txt"]
        (process.standardOutput, process.standardError) = (output, Pipe())
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let differences = zip(entries, others).map { CIEDE2000($0.lab, $1.lab).total }
        let mean = differences.reduce(0, +) / Double(differences.count)
        let found = try #require(text.firstMatch(of: /peak = ([0-9.]+), avg = ([0-9.]+)/))
        #expect(abs((Double(found.1) ?? 0) - (differences.max() ?? 0)) < 1e-4)
        #expect(abs((Double(found.2) ?? 0) - mean) < 1e-4)
    }
}
