import Foundation
import Testing

@testable import Color
@testable import Palettes
@testable import Readings

@Suite("Files with measured colours")
struct MeasurementFileTests {
    private func read(_ text: String) throws -> [Palette.Entry] { try PaletteFile.palette(Data(text.utf8)).entries }

    private func problem(_ text: String) -> String? {
        do throws(PaletteFile.Problem) {
            _ = try PaletteFile.palette(Data(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    private func lab(_ l: Double, _ a: Double, _ b: Double) -> CIELab { CIELab(lightness: l, a: a, b: b) }

    // MARK: Comma-separated values

    @Test(
        "a table has CIELAB if its first line says so, or if a number has decimals or a sign",
        arguments: [
            "name,L,a,b\nLeaf,43,-12,22\nB,0,0,0\n", "Patch;L*;a*;b*\nLeaf;43,0;-12,0;22,0\n",
            "Leaf,43,-12,22\n", "Leaf,43.0,-12.0,22.0\nB,1,2,3\n",
            "B,1,2,3\nLeaf\t43\t-12\t22\n".dropFirst(8).description,
        ])
    func labTable(text: String) throws {
        let first = try read(text)[0]
        #expect(first.name == "Leaf" && first.lab == lab(43, -12, 22))
    }

    @Test("three whole numbers without a sign are R, G and B")
    func channels() throws {
        #expect(try read("Leaf,43,12,22\n")[0].hex == "#2B0C16")
    }

    @Test(
        "the line of a table of CIELAB that is wrong is named",
        arguments: ["A,111,0,0", "A,50,201,0", "A,x,1,1", "A,#102030,1,1", "A,,,"])
    func badLabTable(line: String) {
        #expect(
            problem("name,L,a,b\nLeaf,43,-12,22\n\(line)\n")
                == "line 3: expected L* of 0...110, and a* and b* of -200...200, as line 1 names the columns")
        #expect(
            problem("Leaf,43,-12,22\nA,111,0,0\n")
                == "line 2: expected a name and L*, a* and b*, such as Leaf,43.46,-12.74,22.72")
    }

    // MARK: CGATS.17

    private let chart = """
        IT8.7/2
        ORIGINATOR "A company"   # a comment
        KEYWORD "MANUFACTURER"
        NUMBER_OF_FIELDS 4
        BEGIN_DATA_FORMAT
        SAMPLE_ID LAB_L\tLAB_A
        LAB_B
        END_DATA_FORMAT
        NUMBER_OF_SETS 2
        BEGIN_DATA
        A01 37.99   13.56   14.06
        "A 02"
        65.71 -18.13 1.7e1
        END_DATA
        """

    @Test("a table of CGATS.17 has named fields and rows of as many values, however its lines are broken")
    func table() throws {
        let entries = try read(chart)
        #expect(entries.map(\.name) == ["A01", "A 02"])
        #expect(entries.map(\.lab) == [lab(37.99, 13.56, 14.06), lab(65.71, -18.13, 17)])
    }

    @Test("a sample's name comes before its place, and its place before its number")
    func names() throws {
        func names(_ fields: String) throws -> [String] {
            try read(
                "CTI3\nBEGIN_DATA_FORMAT\n\(fields) LAB_L LAB_A LAB_B\nEND_DATA_FORMAT\nBEGIN_DATA\n1 A1 \"dark \"\"x\"\"\" 1 2 3\nEND_DATA\n"
            )
            .map(\.name)
        }
        #expect(try names("SAMPLE_ID SAMPLE_LOC SAMPLE_NAME") == ["dark \"x\""])
        #expect(try names("SAMPLE_ID SAMPLE_LOC NOTE") == ["A1"])
        #expect(try names("SAMPLE_ID X NOTE") == ["1"])
        #expect(try names("W X NOTE").first?.hasPrefix("#") == true)
    }

    @Test("XYZ is relative to D50, with 100 for white")
    func xyz() throws {
        let text =
            "CTI3\nBEGIN_DATA_FORMAT\nSAMPLE_ID RGB_R XYZ_X XYZ_Y XYZ_Z\nEND_DATA_FORMAT\nBEGIN_DATA\n1 5 96.4296 100 82.5105\nEND_DATA"
        let white = try read(text)[0].lab
        #expect(abs(white.lightness - 100) < 1e-9 && abs(white.a) < 0.001 && abs(white.b) < 0.001)
    }

    @Test(
        "a table of CGATS.17 that cannot be read is reported with its line",
        arguments: [
            ("LAB_B", "LAB_X", "line 5: the table has neither Lab nor XYZ: a field LAB_L or XYZ_X is missing"),
            ("END_DATA_FORMAT", "END", "its table has no end of the data format"),
            ("\nEND_DATA", "\nEND", "line 5: the table has no data, or no end of it"),
            ("14.06", "", "line 14: the data are not whole rows of 4 values"),
            ("14.06", "nan", "line 11: expected three numbers of a colour in Lab"),
            ("65.71", "x", "line 12: expected three numbers of a colour in Lab"),
            ("65.71", "111", "line 12: expected three numbers of a colour in Lab"),
            (
                "MANUFACTURER\"", "WEIGHTING_FUNCTION\"\nWEIGHTING_FUNCTION \"ILLUMINANT, D65\"",
                "line 4: its colours are for ILLUMINANT, D65, not for D50 and 2°"
            ),
            ("KEYWORD \"MANUFACTURER\"", "OBSERVER_ANGLE \"10\"", "line 3: its colours are for 10, not for D50 and 2°"),
            (
                "KEYWORD \"MANUFACTURER\"", "DEVICE_CLASS \"DISPLAY\"",
                "line 3: its colours are for DISPLAY, not for D50 and 2°"
            ),
        ])
    func badTable(text: String, replacement: String, message: String) {
        let changed = chart.replacing(text, with: replacement, maxReplacements: 1)
        // The end of the data is the last of its kind.
        #expect(problem(text == "\nEND_DATA" ? String(chart.dropLast(5)) : changed) == message)
    }

    // MARK: CxF3

    private func cxf(_ objects: String, _ specifications: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <CxF xmlns="http://colorexchangeformat.com/CxF3-core"><Resources>
        <ObjectCollection>\(objects)</ObjectCollection>
        <ColorSpecificationCollection>\(specifications)</ColorSpecificationCollection>
        </Resources></CxF>
        """
    }

    private func object(_ values: String, name: String = "A") -> String {
        "<Object Name=\"\(name)\"><ColorValues>\(values)</ColorValues></Object>"
    }

    private let lab = "<ColorCIELab><L>50</L><A>-1.5</A><B>2e0</B></ColorCIELab>"

    @Test("a file that colour-cxf has written is read: CIELAB for D50 and 2°, CIEXYZ and sRGB, with their names")
    func colourCxF() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files/colour_cxf.cxf")
        let entries = try PaletteFile.palette(Data(contentsOf: file)).entries
        #expect(entries.map(\.name) == ["Brand blue", "Grün & Blau", "Screen"])
        #expect(entries[0].lab == lab(32.5, 8.75, -47.25))
        // By XYZ_to_Lab of colour-science 0.4.7, with the white point 0.3457, 0.3585.
        let expected = lab(57.31819816, -17.61361582, 12.7983599)
        #expect(entries[1].lab.deltaE76(to: expected) < 1e-6)
        #expect(entries[2].hex == "#1F4E9B")
    }

    @Test("the values of an object are chosen in the order CIELAB, CIEXYZ, sRGB")
    func order() throws {
        let others = "<ColorSRGB><R>1</R><G>2</G><B>3</B></ColorSRGB><ReflectanceSpectrum>0.1</ReflectanceSpectrum>"
        #expect(try read(cxf(object(others + lab)))[0].lab == lab(50, -1.5, 2))
        #expect(try read(cxf(object(others)))[0].hex == "#010203")
        let wide = "<ColorSRGB><MaxRange>65535</MaxRange><R>65535</R><G>0</G><B>0</B></ColorSRGB>"
        #expect(try read(cxf(object(wide)))[0].hex == "#FF0000")
    }

    @Test("an object without a colour that can be read is left out, unless there is no other")
    func spectra() throws {
        let spectrum = object("<ReflectanceSpectrum>0.1 0.2</ReflectanceSpectrum>")
        #expect(try read(cxf(spectrum + object(lab, name: "B"))).map(\.name) == ["B"])
        #expect(problem(cxf(spectrum)) == "it has no colours in CIELAB, CIEXYZ or sRGB")
        #expect(problem("<CxF/>") == "it has no colours in CIELAB, CIEXYZ or sRGB")
    }

    @Test("colours for another light or observer only are refused")
    func otherLight() throws {
        func specification(_ id: String, _ illuminant: String, _ observer: String) -> String {
            "<ColorSpecification Id=\"\(id)\"><TristimulusSpec><Illuminant>\(illuminant)</Illuminant>"
                + "<Observer>\(observer)</Observer></TristimulusSpec></ColorSpecification>"
        }
        func value(_ id: String) -> String {
            "<ColorCIELab ColorSpecification=\"\(id)\"><L>\(id)</L><A>0</A><B>0</B></ColorCIELab>"
        }
        let specifications = specification("1", "D65", "10_Degree") + specification("2", "D50", "2_Degree")
        #expect(try read(cxf(object(value("1") + value("2")), specifications))[0].lab == lab(2, 0, 0))
        #expect(
            problem(cxf(object(value("1")), specifications))
                == "its colours are for D65 and 10_Degree, not for D50 and 2°")
        #expect(try read(cxf(object(value("3")), specifications))[0].lab == lab(3, 0, 0))
    }

    @Test(
        "a file that is not CxF, or has a wrong number, is refused",
        arguments: [
            ("<CxF>", "line 1: it is not XML (no element found)"), ("<svg/>", "it is XML, but not CxF"),
            ("\n <!DOCTYPE CxF><CxF/>", "line 2: it has a document type declaration"),
        ])
    func notCxF(text: String, message: String) {
        #expect(problem(text) == message)
    }

    @Test("the colour with a number that is missing or out of range is named", arguments: ["", "nan", "111", "5,0"])
    func badNumber(number: String) {
        let value = "<ColorCIELab><L>\(number)</L><A>0</A><B>0</B></ColorCIELab>"
        #expect(
            problem(cxf(object(lab) + object(value, name: "B&#10;")))
                == "the colour B\u{FFFD} has a number that is missing or out of range")
    }
}
