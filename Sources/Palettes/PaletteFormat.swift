import Color
import Documents
package import FoundationEssentials
import Untrusted

/// A format in which colours are exported. ``PaletteFile`` reads each of them back.
package enum PaletteFormat: String, CaseIterable, Sendable {
    /// A palette of GIMP, which Inkscape, Krita and other programs read too.
    case gimp = "gpl"
    case adobeSwatchExchange = "ase"
    case adobeColor = "aco"
    /// A table by CGATS.17, with CIELAB for D50.
    case measurementTable = "txt"

    /// The ending of a file's name.
    package var ending: String { rawValue }

    /// The type of the content.
    package var mediaType: String {
        switch self {
        case .gimp, .measurementTable: "text/plain; charset=utf-8"
        case .adobeSwatchExchange, .adobeColor: "application/octet-stream"
        }
    }

    /// Returns a file with colours.
    /// - Parameter title: The name of the palette, in ASCII.
    package func data(_ entries: [Palette.Entry], title: String) -> Data {
        switch self {
        case .gimp: GIMPPalette.data(entries, title: title)
        case .adobeSwatchExchange: AdobeSwatchExchange.data(entries)
        case .adobeColor: AdobeColor.data(entries)
        case .measurementTable: MeasurementTable.data(entries, title: title)
        }
    }
}

extension Palette.Entry {
    /// The name as one printable line. It is one already; a second line could be another colour.
    fileprivate var line: String { name.sanitized() }

    /// The channels, 0...1, as sRGB holds them.
    fileprivate var shares: [Double] { RGB(lab).values.map { min(max($0 / 255, 0), 1) } }
}

extension GIMPPalette {
    /// The number of colours that GIMP shows side by side.
    private static let columns = 8

    fileprivate static func data(_ entries: [Palette.Entry], title: String) -> Data {
        let header = [signature, "Name: \(title)", "Columns: \(columns)", "#"]
        let lines = entries.map { entry in
            let channels = (RGB8(hex: entry.hex) ?? .black).values.map { channel in
                String(repeating: " ", count: 3 - String(channel).count) + String(channel)
            }
            return "\(channels.joined(separator: " "))\t\(entry.line)"
        }
        return Data((header + lines).map { $0 + "\n" }.joined().utf8)
    }
}

extension MeasurementTable {
    fileprivate static func data(_ entries: [Palette.Entry], title: String) -> Data {
        let header = [
            "CGATS.17", "ORIGINATOR \"Swatchcam\"", "DESCRIPTOR \"\(title)\"",
            "KEYWORD \"WEIGHTING_FUNCTION\"", "WEIGHTING_FUNCTION \"ILLUMINANT, D50\"",
            "WEIGHTING_FUNCTION \"OBSERVER, 2 degree\"", "", "NUMBER_OF_FIELDS 5", beginning,
            "SAMPLE_ID SAMPLE_NAME LAB_L LAB_A LAB_B", "END_DATA_FORMAT", "", "NUMBER_OF_SETS \(entries.count)",
            "BEGIN_DATA",
        ]
        let lines = entries.enumerated().map { index, entry in
            let name = entry.line.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            let numbers = [entry.lab.lightness, entry.lab.a, entry.lab.b].map {
                $0.rounded(decimals: 4).formatted(decimals: 4)
            }
            return "\(index + 1) \"\(name)\" \(numbers.joined(separator: " "))"
        }
        return Data((header + lines + ["END_DATA"]).map { $0 + "\n" }.joined().utf8)
    }
}

extension AdobeColor {
    /// Writes both versions of the list: old programs read the first, and names are in the second.
    fileprivate static func data(_ entries: [Palette.Entry]) -> Data {
        var bytes = Data()
        for version in [1, 2] {
            bytes.append(number16: version)
            bytes.append(number16: entries.count)
            for entry in entries {
                bytes.append(number16: 0)
                for share in entry.shares + [0] { bytes.append(number16: Int((share * 65535).rounded())) }
                guard version == 2 else { continue }
                bytes.append(number32: UInt32(clamping: entry.line.utf16.count + 1))
                bytes.append(utf16: entry.line)
            }
        }
        return bytes
    }
}

extension AdobeSwatchExchange {
    fileprivate static func data(_ entries: [Palette.Entry]) -> Data {
        var bytes = Data(signature)
        for number in [1, 0, entries.count >> 16, entries.count & 0xFFFF] { bytes.append(number16: number) }
        for entry in entries {
            var block = Data()
            block.append(number16: entry.line.utf16.count + 1)
            block.append(utf16: entry.line)
            block.append(contentsOf: "RGB ".utf8)
            for share in entry.shares { block.append(number32: Float(share.rounded(decimals: 6)).bitPattern) }
            // A colour that is not global.
            block.append(number16: 2)
            bytes.append(number16: Int(colorBlock))
            bytes.append(number32: UInt32(clamping: block.count))
            bytes.append(block)
        }
        return bytes
    }
}

extension Data {
    fileprivate mutating func append(number16 number: Int) {
        let number = UInt16(truncatingIfNeeded: number)
        append(contentsOf: [UInt8(number >> 8), UInt8(number & 255)])
    }

    fileprivate mutating func append(number32 number: UInt32) {
        append(number16: Int(number >> 16))
        append(number16: Int(number & 0xFFFF))
    }

    /// Appends a text with the 0 that ends it.
    fileprivate mutating func append(utf16 text: String) {
        for unit in Array(text.utf16) + [0] { append(number16: Int(unit)) }
    }
}
