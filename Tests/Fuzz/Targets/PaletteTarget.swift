import FoundationEssentials
import Untrusted

@testable import Color
@testable import Palettes
@testable import Readings

/// A target for files with colours, each of which must give a bounded list of printable entries, or an error in one line.
enum PaletteTarget: FuzzTarget {
    static let name = "palette"

    static var seeds: [String: [UInt8]] {
        [
            "gpl": Array("GIMP Palette\nName: x\nColumns: 2\n#\n 31  78 155\tBrand blue\n0 0 0\n".utf8),
            "rgba": Array("GIMP Palette\nChannels: RGBA\n#\n  0   0   0 255 Black\n".utf8) + [0xE9, 0x0A],
            "utf16": [0xFF, 0xFE] + Array("A,#102030\nB,#405060\n".utf8).flatMap { [$0, 0] },
            "header": Array("Id,Name,Hex,R,G,B,LAB_L,LAB_A,LAB_B\n1,A,#102030,1,2,3,50,+1,\u{2212}2\n".utf8),
            "sep": Array("sep=;\r\nname;R;G;B;\r\n;;;;\r\nGr".utf8) + [0xFC, 0x6E] + Array(";0,5;170;0;\r\n".utf8),
            "light": Array(
                "CTI3\nKEYWORD \"ILLUMINATION_NAME\"\nILLUMINATION_NAME \"D50\"\nOBSERVER_ANGLE 2 degree\n".utf8)
                + Array("MEASUREMENT_SOURCE \"Illumination=D50\tObserverAngle=2\"\nNUMBER_OF_FIELDS 3\n".utf8)
                + Array("BEGIN_DATA_FORMAT\nLAB_L LAB_A LAB_B\nEND_DATA_FORMAT\nNUMBER_OF_SETS 1\n".utf8)
                + Array("BEGIN_DATA\n50,5 1 2\nEND_DATA\n".utf8),
            "joiners": Array("\u{1F469}\u{200D}\u{1F3A8} \u{628}\u{200C}\u{628}\u{200D},#102030\n".utf8),
            "csv": Array("name,hex\r\nBrand blue,#1F4E9B\r\n\"a, \"\"b\"\"\",000000\r\n".utf8),
            "lab": Array("name;L;a;b\r\nLeaf;43,46;-12,74;22,72\r\n".utf8),
            "cgats": Array(
                "CTI3\nKEYWORD \"X\"\nBEGIN_DATA_FORMAT\nSAMPLE_ID LAB_L LAB_A LAB_B\nEND_DATA_FORMAT\nBEGIN_DATA\n"
                    .utf8) + Array("\"A \"\"1\" 38.0 13.6 14.1\nB 65.7 1e1 -2\nEND_DATA\n".utf8),
            "cxf": Array("<c:CxF xmlns:c=\"u\"><c:Resources><c:ObjectCollection><c:Object Name=\"A\">".utf8)
                + Array("<c:ColorValues><c:ColorCIELab ColorSpecification=\"1\"><c:L>50</c:L><c:A>1</c:A>".utf8)
                + Array("<c:B>2</c:B></c:ColorCIELab></c:ColorValues></c:Object></c:ObjectCollection>".utf8)
                + Array("</c:Resources></c:CxF>".utf8),
            "channels": Array("Brand blue;31;78;155\n".utf8),
            "aco": [
                0, 1, 0, 1, 0, 0, 31, 31, 78, 78, 155, 155, 0, 0, 0, 2, 0, 1, 0, 7, 19, 136, 0, 100, 255, 156, 0, 0,
            ]
                + [0, 0, 0, 3, 0, 65, 0, 98, 0, 0],
            "ase": Array("ASEF".utf8) + [0, 1, 0, 0, 0, 0, 0, 2, 0xC0, 1, 0, 0, 0, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0, 24]
                + [0, 2, 0, 65, 0, 0] + Array("RGB ".utf8) + [0x3F, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0x80, 0, 0, 0, 2],
        ]
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        let palette: Palette
        do throws(PaletteFile.Problem) {
            palette = try PaletteFile.palette(Data(bytes))
        } catch {
            let text = error.description
            try check(!text.isEmpty && text.utf8.count < 200, "an error of \(text.utf8.count) bytes")
            try check(text == text.sanitized(), "an error that is not one printable line: \(text)")
            return
        }
        try check(1...Palette.maxCount ~= palette.entries.count, "\(palette.entries.count) entries")
        for entry in palette.entries {
            let name = entry.name
            try check(!name.isEmpty && name.unicodeScalars.count <= 100, "a name of \(name.unicodeScalars.count)")
            try check(name == name.sanitized(), "a name that is not one printable line: \(name)")
            try check(RGB8(hex: entry.hex)?.hex == entry.hex, "\(entry.hex) is not a colour")
            let lab = entry.lab
            try check(lab.lightness.isFinite && lab.a.isFinite && lab.b.isFinite, "a colour that is not finite: \(lab)")
        }
        let first = palette.entries[0]
        let match = palette.nearest(to: first.lab)
        try check((match?.deltaE ?? 1) < 1e-6, "the nearest of \(first) is \(String(describing: match))")
    }
}
