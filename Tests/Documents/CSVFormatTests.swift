import Testing

@testable import Documents

@Suite("Tables of comma-separated values")
struct CSVFormatTests {
    @Test(
        "a separator and a decimal point that cannot be told apart, or are not valid, are refused",
        arguments: [
            (",", ","), ("", "."), (",", ""), ("|", "."), (";", "·"), (";;", "."), ("\n", "."), ("0", "."),
            ("\u{37E}", "."),
        ])
    func refused(separator: String, decimalPoint: String) {
        #expect(CSVFormat(separator: separator, decimalPoint: decimalPoint) == nil)
    }

    @Test(
        "the separators and decimal points that spreadsheets of any country expect are accepted",
        arguments: [(",", "."), (";", ","), (";", "."), ("\t", "."), ("\t", ",")])
    func accepted(separator: String, decimalPoint: String) {
        #expect(CSVFormat(separator: separator, decimalPoint: decimalPoint) != nil)
    }

    @Test("a row has a cell for everything, known or not, and ends with CR and LF")
    func row() {
        let cells: [CSVCell] = [
            .word("live"), .word(nil), .text("a b"), .text(nil), .text(""), .integer(-7), .integer(nil),
            .number(1.25, decimals: 3), .number(nil, decimals: 3), .number(-0.0001, decimals: 2),
        ]
        #expect(CSVFormat.standard.line(cells) == "live,,\"a b\",,,-7,,1.250,,0.00\r\n")
    }

    @Test("only numbers have the decimal comma")
    func decimalComma() throws {
        let format = try #require(CSVFormat(separator: ";", decimalPoint: ","))
        #expect(format.line([.number(0.5, decimals: 1), .word("a.b"), .text("1.5")]) == "0,5;a.b;\"1.5\"\r\n")
    }

    @Test(
        "a comment stays one line, and hides no row from a program that knows no comments",
        arguments: [
            ("Camera: C920", "# Camera: C920\r\n"), ("a\r\nb\n1", "# a  b 1\r\n"), ("a,\"b", "# a,'b\r\n"),
            ("a,=1+1", "# a,'=1+1\r\n"), ("", "# \r\n"),
        ])
    func comment(text: String, line: String) {
        #expect(CSVFormat.standard.comment(text) == line)
    }
}

@Suite("Reading a row of comma-separated values")
struct CSVReadingTests {
    @Test(
        "the cells of a row are read as they were written",
        arguments: [
            ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), ("\"a,b\",c\r\n", ["a,b", "c"]),
            ("\"a \"\"b\"\"\",1\n", ["a \"b\"", "1"]), ("\"\",x", ["", "x"]), ("ä,\"✓\"", ["ä", "✓"]),
        ])
    func cells(line: String, cells: [String]) {
        #expect(CSVFormat.standard.cells(of: line) == cells)
    }

    @Test(
        "a row with a misplaced quotation mark is not read",
        arguments: ["\"a", "a\"b", "\"a\"b", "a,\"b,c", "\"a\" ,b"])
    func broken(line: String) {
        #expect(CSVFormat.standard.cells(of: line) == nil)
    }

    @Test("cells and numbers are read with the separator and decimal point of the format")
    func form() throws {
        let format = try #require(CSVFormat(separator: ";", decimalPoint: ","))
        #expect(format.cells(of: "1,5;a,b") == ["1,5", "a,b"])
        #expect(format.number("1,5") == 1.5)
    }

    @Test(
        "a text that is not a finite number has no value",
        arguments: ["", "a", "nan", "inf", "-Infinity", "1e999", " 1", "1 ", "1,5", "١٢", "0x"])
    func noNumber(text: String) {
        #expect(CSVFormat.standard.number(text) == nil)
    }
}
