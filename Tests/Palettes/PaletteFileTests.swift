import Foundation
import Testing

@testable import Color
@testable import Palettes
@testable import Readings

@Suite("Files with colours")
struct PaletteFileTests {
    /// Returns the names and colours of a file.
    private func read(_ bytes: [UInt8]) throws -> [String] {
        try PaletteFile.palette(Data(bytes)).entries.map { "\($0.name) \($0.hex)" }
    }

    private func read(_ text: String) throws -> [String] { try read(Array(text.utf8)) }

    /// Returns the problem of a file.
    private func problem(_ bytes: [UInt8]) -> String? {
        do throws(PaletteFile.Problem) {
            _ = try PaletteFile.palette(Data(bytes))
            return nil
        } catch {
            return error.description
        }
    }

    private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

    private static func big16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

    private static func big32(_ number: Int) -> [UInt8] { big16(number >> 16) + big16(number & 0xFFFF) }

    /// Returns the units of a text in UTF-16, with the 0 at its end.
    private static func utf16(_ text: String) -> [UInt8] { (Array(text.utf16) + [0]).flatMap { big16(Int($0)) } }

    // MARK: GIMP

    @Test("a GIMP palette has a header, comments, and lines of three numbers and a name")
    func gimp() throws {
        let text =
            "GIMP Palette\nName: Brand\nColumns: 4\n# Colours\n\n 31  78 155\tBrand blue\n255 255 255   \n0\t0 0 a  b\n"
        #expect(try read(text) == ["Brand blue #1F4E9B", "#FFFFFF #FFFFFF", "a  b #000000"])
    }

    @Test("an old GIMP palette without a header, with the line breaks of Windows, is read")
    func oldGIMP() throws {
        #expect(try read("GIMP Palette\r\n1 2 3 A\r\n") == ["A #010203"])
    }

    @Test(
        "the line of a GIMP palette that is wrong is named",
        arguments: ["256 0 0 A", "-1 0 0 A", "1 2 A", "1,2,3,A", "0x1 2 3 A", "1.5 2 3 A"])
    func badGIMP(line: String) {
        #expect(
            problem("GIMP Palette\nName: x\n1 2 3\n\(line)\n")
                == "line 4: expected three whole numbers of 0...255 and a name")
    }

    // MARK: Comma-separated values

    @Test(
        "a table has a name and a colour in either order, or a name and three channels",
        arguments: [
            ("Brand blue,#1F4E9B", "Brand blue #1F4E9B"), ("#1f4e9b,Brand blue", "Brand blue #1F4E9B"),
            ("1F4E9B,Brand blue", "Brand blue #1F4E9B"), ("facade,#1F4E9B", "facade #1F4E9B"),
            ("#1F4E9B,facade", "facade #1F4E9B"), ("Brand blue;31;78;155", "Brand blue #1F4E9B"),
            ("Brand blue\t#1F4E9B", "Brand blue #1F4E9B"), ("#1F4E9B", "#1F4E9B #1F4E9B"),
            ("\"a, \"\"b\"\"\",#1F4E9B", "a, \"b\" #1F4E9B"), ("\u{FEFF}name,hex\r\nA,#000000\r\n", "A #000000"),
            ("\u{FEFF}#1F4E9B", "#1F4E9B #1F4E9B"),
            ("Name;R;G;B\nA;1;2;3\n\n", "A #010203"),
        ])
    func table(text: String, entry: String) throws {
        #expect(try read(text) == [entry])
    }

    @Test(
        "the line of a table that is wrong is named",
        arguments: [
            "A,#12345", "A,#GGGGGG", "A,1,2", "A,1,2,256", "A,#000000,x", "name,hex", "A,#00000000", "A,rgb(1 2 3)",
        ])
    func badTable(line: String) {
        #expect(
            problem("B,#000000\n\(line)\n")
                == "line 2: expected a name and a colour such as #3FA7D6, or a name and three whole numbers of 0...255")
    }

    private static let manyMarks = String(repeating: "\u{301}\u{316}", count: 20_000)

    @Test(
        "a file with a long row of combining marks is refused before anything is compared",
        arguments: [
            "x\(manyMarks),#112233\n", "GIMP Palette\n1 2 3 x\(manyMarks)\n", "<CxF a=\"\(manyMarks)\"/>",
            "<CxF><a b=\"\(String(repeating: "&#x301;", count: 20_000))\"/></CxF>",
        ])
    func marks(text: String) {
        let expected = "it has more than 30 combining marks in a row"
        #expect(problem(text) == expected)
        if text.hasPrefix("<") {
            #expect(problem([0xFE, 0xFF] + text.utf16.flatMap { Self.big16(Int($0)) }) == expected)
        }
    }

    @Test("a quotation mark out of place is reported with its line")
    func quotes() {
        #expect(problem("B,#000000\nA\"b,#000000\n") == "line 2: a quotation mark is out of place")
    }

    // MARK: Adobe Color

    /// Returns a list of colours, each with a space, four values and a name.
    private func aco(version: Int, _ colors: [(space: Int, values: [Int], name: String)]) -> [UInt8] {
        Self.big16(version) + Self.big16(colors.count)
            + colors.flatMap { color in
                Self.big16(color.space) + color.values.flatMap(Self.big16)
                    + (version == 2 ? Self.big32(color.name.utf16.count + 1) + Self.utf16(color.name) : [])
            }
    }

    @Test(
        "a colour of Adobe Color is read in its space",
        arguments: [
            (0, [0x1F1F, 0x4E4E, 0x9B9B, 0], "#1F4E9B"), (1, [43690, 65535, 65535, 0], "#0000FF"),
            (1, [0, 0, 32896, 0], "#808080"), (1, [0, 32639, 65535, 0], "#FF8080"),
            (7, [10_000, 0, 0, 0], "#FFFFFF"), (7, [0, 0, 0, 0], "#000000"),
            (7, [5428, 0x10000 - 1, 1, 0], "#828282"),
            (8, [0, 0, 0, 0], "#FFFFFF"), (8, [10_000, 0, 0, 0], "#000000"), (8, [5000, 0, 0, 0], "#808080"),
        ])
    func adobeColor(space: Int, values: [Int], hex: String) throws {
        #expect(try read(aco(version: 1, [(space, values, "")])) == ["\(hex) \(hex)"])
    }

    @Test("Lab in Adobe Color has negative a* and b*")
    func negativeLab() throws {
        let values = [5000, 0x10000 - 2050, 3025, 0]
        let palette = try PaletteFile.palette(Data(aco(version: 1, [(7, values, "")])))
        #expect(palette.entries[0].lab == CIELab(lightness: 50, a: -20.5, b: 30.25))
    }

    @Test("the second list of Adobe Color, which has names, takes the place of the first")
    func adobeNames() throws {
        let color = (space: 0, values: [0xFFFF, 0, 0, 0], name: "Rot – é 📷")
        #expect(try read(aco(version: 1, [color]) + aco(version: 2, [color])) == ["Rot – é 📷 #FF0000"])
        #expect(try read(aco(version: 2, [color])) == ["Rot – é 📷 #FF0000"])
        #expect(try read(aco(version: 1, [color])) == ["#FF0000 #FF0000"])
    }

    @Test(
        "a colour of Adobe Color that cannot be read is reported with its place",
        arguments: [
            (2, [0, 0, 0, 0], "byte 4: CMYK colours depend on ink and paper; export the colours as RGB or Lab"),
            (3, [0, 0, 0, 0], "byte 4: the colour space 3 is not supported"),
            (7, [10_001, 0, 0, 0], "byte 4: the lightness is out of range"),
            (8, [10_001, 0, 0, 0], "byte 4: the grey is out of range"),
        ])
    func badAdobeColor(space: Int, values: [Int], message: String) {
        #expect(problem(aco(version: 1, [(space, values, "")])) == message)
    }

    @Test("a list of Adobe Color that ends too early is reported with its place, wherever it ends")
    func shortAdobeColor() {
        let whole = aco(version: 2, [(0, [1, 2, 3, 4], "A")])
        for count in 4..<whole.count {
            #expect(problem(Array(whole.prefix(count)))?.hasSuffix("ends too early") == true)
        }
        #expect(problem(aco(version: 2, []) + [0xFF]) == "it has no colours")
    }

    @Test("a length of billions is refused without reserving memory for it")
    func hugeLength() {
        let bytes = [0, 2, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(problem(bytes) == "byte 18: the file ends too early")
    }

    // MARK: Adobe Swatch Exchange

    private func ase(_ blocks: [[UInt8]], count: Int? = nil) -> [UInt8] {
        Array("ASEF".utf8) + [0, 1, 0, 0] + Self.big32(count ?? blocks.count) + blocks.flatMap(\.self)
    }

    private func block(_ type: Int, _ content: [UInt8]) -> [UInt8] {
        Self.big16(type) + Self.big32(content.count) + content
    }

    private func color(_ name: String, _ model: String, _ numbers: [Float]) -> [UInt8] {
        block(
            1,
            Self.big16(name.utf16.count + 1) + Self.utf16(name) + Array(model.utf8)
                + numbers.flatMap { Self.big32(Int($0.bitPattern)) } + [0, 2])
    }

    @Test(
        "a colour of Adobe Swatch Exchange is read in its model",
        arguments: [
            ("RGB ", [1, 0, Float(155) / 255], "#FF009B"), ("LAB ", [1, 0, 0], "#FFFFFF"),
            ("Gray", [0.5], "#808080"), ("GRAY", [1], "#FFFFFF"),
        ])
    func exchange(model: String, numbers: [Float], hex: String) throws {
        #expect(try read(ase([color("Rot – é 📷", model, numbers)])) == ["Rot – é 📷 \(hex)"])
    }

    @Test("groups and unknown blocks of Adobe Swatch Exchange are skipped")
    func groups() throws {
        let group = block(0xC001, Self.big16(2) + Self.utf16("G"))
        let blocks = [group, color("A", "RGB ", [0, 0, 0]), block(0xC002, []), block(7, [1, 2, 3])]
        #expect(try read(ase(blocks)) == ["A #000000"])
    }

    @Test(
        "a colour of Adobe Swatch Exchange that cannot be read is reported with its place",
        arguments: [
            ("CMYK", [0, 0, 0, 0], "byte 18: CMYK colours depend on ink and paper; export the colours as RGB or Lab"),
            ("HSB ", [0, 0, 0], "byte 18: the colour model is not supported"),
            ("RGB ", [0, 1.5, 0], "byte 18: a number of the colour is not in 0...1"),
            ("RGB ", [0, .nan, 0], "byte 32: this is not a number"),
            ("LAB ", [0.5, 200, 0], "byte 18: a number of the colour is out of range"),
            ("LAB ", [50, 0, 0], "byte 18: a number of the colour is not in 0...1"),
        ] as [(String, [Float], String)])
    func badExchange(model: String, numbers: [Float], message: String) {
        #expect(problem(ase([color("A", model, numbers)])) == message)
    }

    @Test("a file of Adobe Swatch Exchange that ends too early is reported, wherever it ends")
    func shortExchange() {
        let whole = ase([color("A", "RGB ", [0, 0, 0])])
        for count in 4..<whole.count {
            let message = problem(Array(whole.prefix(count)))
            #expect(message?.hasSuffix("ends too early") == true, "\(count) bytes: \(message ?? "no problem")")
        }
        #expect(problem(ase([], count: 1 << 31))?.hasSuffix("ends too early") == true)
    }

    // MARK: Limits

    @Test("a file has up to 4,096 colours in every format", arguments: [4096, 4097])
    func count(count: Int) {
        let expected = count > 4096 ? "it has more than 4096 colours" : nil
        #expect(problem("GIMP Palette\n" + String(repeating: "1 2 3\n", count: count)) == expected)
        #expect(problem(String(repeating: "#000000\n", count: count)) == expected)
        #expect(problem(aco(version: 1, .init(repeating: (0, [0, 0, 0, 0], ""), count: count))) == expected)
        #expect(problem(ase(.init(repeating: color("", "Gray", [0]), count: count))) == expected)
        let table = "CTI3\nBEGIN_DATA_FORMAT\nLAB_L LAB_A LAB_B\nEND_DATA_FORMAT\nBEGIN_DATA\n"
        #expect(problem(table + String(repeating: "1 2 3\n", count: count) + "END_DATA") == expected)
        let object =
            "<Object><ColorValues><ColorCIELab><L>5</L><A>0</A><B>0</B></ColorCIELab></ColorValues></Object>"
        let objects = String(repeating: object, count: count)
        #expect(
            problem("<CxF><Resources><ObjectCollection>\(objects)</ObjectCollection></Resources></CxF>") == expected)
    }

    @Test("a file without colours, or of another kind, is no palette")
    func other() {
        #expect(problem("") == "it is empty")
        #expect(problem("GIMP Palette\n") == "it has no colours")
        #expect(problem("name,hex\n") == "it has no colours")
        #expect(problem([UInt8](repeating: 32, count: 1 << 20 + 1)) == "it is longer than 1 MiB")
        let message =
            "it is neither a GIMP palette, Adobe Swatch Exchange, Adobe Color, CxF3, nor CGATS.17 or comma-separated "
            + "values"
        #expect(problem([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == message)
        #expect(problem([UInt8(ascii: "A"), 0]) == message)
    }
}
