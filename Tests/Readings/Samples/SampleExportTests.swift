import Foundation
import Metrology
import TestSupport
import Testing

@testable import Color
@testable import Documents
@testable import Readings
@testable import Untrusted

@Suite("Samples as a table")
struct SampleCSVTests {
    private func lines(_ samples: [Sample], _ csv: SampleCSV = SampleCSV()) -> [String] {
        String(decoding: csv.data(samples), as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test("the table of samples has a header and one row for each sample")
    func rows() throws {
        try expectGolden("samples.csv", lines([.example]).joined(separator: "\r\n"))
    }

    @Test("docs/api.md lists the columns; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        try expectTable(
            "columns of samples", in: "api.md",
            SampleCSV.columns.map { [$0.names.map { "`\($0)`" }.joined(separator: ", "), $0.meaning] })
    }

    @Test("an unknown value is an empty cell, so that every row has as many cells as the header")
    func empty() {
        let lines = lines([.plain])
        let counts = lines.prefix(2).map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(counts[0] == counts[1])
        #expect(lines[1].contains(",255.0000,,,,"))
    }

    @Test("the probes of samples have columns, which are empty for a sample without them")
    func probes() {
        let color = ProbeSums.Color(name: "A1", mean: RGB(all: 255), linear: LinearRGB(all: 1))
        let lines = lines([.plain, .plain.with { $0.probes = [color] }])
        #expect(lines[0].hasSuffix(#","A1 blue_linear","A1 concentration","A1 concentration_flags""#))
        #expect(lines[1].hasSuffix(",,,,"))
        #expect(lines[2].hasSuffix(##","#FFFFFF",1.000000,1.000000,1.000000,,"##))
    }

    @Test("the table of samples may have another separator and a decimal comma")
    func decimalComma() throws {
        let format = try #require(CSVFormat(separator: ";", decimalPoint: ","))
        let line = lines([.example], SampleCSV(format))[1]
        #expect(line.hasPrefix("7;\"Leaf\";2026-11-20T19:30:00.250Z;live;16;#3FA7D6;63;167;214;62,8100;167,2000;"))
    }

    @Test("a table for Excel begins with a byte order mark, once")
    func byteOrderMark() throws {
        let format = try #require(CSVFormat(separator: ";", decimalPoint: ",", hasByteOrderMark: true))
        let data = SampleCSV(format).data([.example, .plain])
        #expect(data.starts(with: [0xEF, 0xBB, 0xBF] + Array("id;name;".utf8)))
        #expect(
            data.count == SampleCSV(try #require(CSVFormat(separator: ";", decimalPoint: ","))).data([.example, .plain])
                .count + 3)
    }

    @Test("a quotation mark in a name is doubled")
    func quotes() {
        #expect(lines([.plain.with { $0.name = "a \"b\"" }])[1].hasPrefix("1,\"a \"\"b\"\"\","))
    }

    @Test(
        "no text begins a formula in a spreadsheet, whatever separates its cells",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), ("＝1", "'＝1"), ("  =1", "  '=1"),
            ("a;=1", "a;'=1"), ("a,-1", "a,'-1"), ("a, +1", "a, '+1"), ("a\"=1", "a\"'=1"), ("a\t=1", "a\t'=1"),
            ("a-1", "a-1"), ("a=b", "a=b"),
            ("a - b", "a - b"), ("", ""),
        ])
    func formulas(text: String, safe: String) {
        #expect(text.withoutFormulas == safe)
    }

    @Test("the name of a sample, a camera, a control or a target is never a formula in the table")
    func formulaCells() {
        let line = lines([
            .example.with {
                $0.name = "=HYPERLINK(1)"
                $0.camera?.name = "@camera"
                $0.controls = ["=a": .number(1)]
                $0.target?.name = "=b"
            }
        ])[1]
        #expect(line.contains(",\"\'=HYPERLINK(1)\","))
        #expect(line.contains(",\"'@camera\","))
        #expect(line.contains(",\"'=a=1\",\"'=b\",0.8213,pass,,,,,"))
    }
}
