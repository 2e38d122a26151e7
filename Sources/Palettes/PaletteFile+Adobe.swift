import Color
import FoundationEssentials

/// A palette of Adobe Photoshop (Adobe Photoshop File Formats Specification, "Color swatches"): a list of version 1
/// without names, a list of version 2 with names, or first one and then the other.
///
/// Numbers are big-endian. The spaces are RGB, HSB, CMYK, Lab and grayscale; CMYK is refused.
enum AdobeColor {
    static func entries(_ bytes: [UInt8]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var reader = BigEndianReader(bytes)
        var entries: [Palette.Entry] = []
        // The second list has the same colours as the first, and their names.
        repeat {
            let start = reader.offset
            let version = try reader.number16()
            guard [0, 1, 2].contains(version) else {
                // Photoshop ignores what follows.
                if !entries.isEmpty { return entries }
                throw .init(byte: start, "version \(version) of Adobe Color is not supported")
            }
            let list = try list(hasNames: version == 2, &reader)
            if entries.isEmpty || version == 2 { entries = list }
        } while reader.rest >= 4
        return entries
    }

    private static func list(
        hasNames: Bool, _ reader: inout BigEndianReader
    ) throws(PaletteFile.Problem) -> [Palette.Entry] {
        let count = Int(try reader.number16())
        guard count <= Palette.maxCount else { throw .tooMany }
        var entries: [Palette.Entry] = []
        for _ in 0..<count {
            let start = reader.offset
            let space = try reader.number16()
            var values: [UInt16] = []
            for _ in 0..<4 { values.append(try reader.number16()) }
            let name = hasNames ? try reader.text(units: Int(try reader.number32())) : ""
            entries.append(try entry(name, space, values, at: start))
        }
        return entries
    }

    private static func entry(
        _ name: String, _ space: UInt16, _ values: [UInt16], at start: Int
    ) throws(PaletteFile.Problem) -> Palette.Entry {
        let shares = values.map { Double($0) / 65535 }
        switch space {
        case 0: return .init(name: name, rgb: RGB(r: shares[0], g: shares[1], b: shares[2]) * 255)
        case 1:
            // HSB, which is HWB with the whiteness (1 - S) B and the blackness 1 - B (CSS Color 4, 8.3).
            let (saturation, brightness) = (shares[1], shares[2])
            let color = HWB(
                hue: 360 * shares[0], whiteness: (1 - saturation) * brightness, blackness: 1 - brightness)
            return .init(name: name, rgb: color.rgb)
        case 2, 9: throw .cmyk(at: start)
        case 7:
            let hundredths = values.map { Double(Int16(bitPattern: $0)) / 100 }
            guard 0...100 ~= hundredths[0] else { throw .init(byte: start, "the lightness is out of range") }
            return .init(name: name, lab: CIELab(lightness: hundredths[0], a: hundredths[1], b: hundredths[2]))
        case 8:
            // The share of black ink, as GIMP reads it.
            guard values[0] <= 10_000 else { throw .init(byte: start, "the grey is out of range") }
            return .init(name: name, rgb: RGB(all: 255 * (1 - Double(values[0]) / 10_000)))
        default: throw .init(byte: start, "the colour space \(space) is not supported")
        }
    }
}

/// A palette in the format that Adobe's programs exchange. Adobe has not published it; this follows carl.camera, "ASE
/// File Specification", and dotclue.org, "Adobe Swatch Exchange file format".
///
/// A header with the number of blocks is followed by blocks: the beginning and the end of a group, and colours. A colour
/// has a name in UTF-16, a model of four letters, and numbers of single precision. All is big-endian.
enum AdobeSwatchExchange {
    static let signature = Array("ASEF".utf8)

    static let colorBlock: UInt16 = 0x0001

    static func entries(_ bytes: [UInt8]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var reader = BigEndianReader(bytes)
        _ = try reader.number32()
        let (major, minor) = (try reader.number16(), try reader.number16())
        guard major == 1 || (major, minor) == (0, 1) else {
            throw .init(byte: 4, "version \(major).\(minor) of Adobe Swatch Exchange is not supported")
        }
        let count = try reader.number32()
        var entries: [Palette.Entry] = []
        // A block has six bytes at least, so a count that is too large ends at the end of the file.
        for number in 0..<count {
            guard reader.rest > 0 else {
                throw .init(
                    byte: reader.offset,
                    "the count of blocks in its header is \(count), but it has \(number): the file ends too early")
            }
            let type = try reader.number16()
            var block = try reader.part(Int(try reader.number32()))
            guard type == colorBlock else { continue }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            entries.append(try entry(&block))
        }
        guard reader.rest == 0 else {
            throw .init(
                byte: reader.offset, "the count of blocks in its header is \(count), but it has more; export it again")
        }
        return entries
    }

    private static func entry(_ block: inout BigEndianReader) throws(PaletteFile.Problem) -> Palette.Entry {
        let start = block.offset
        let name = try block.text(units: Int(try block.number16()))
        let model = try block.number32()
        func numbers(_ count: Int) throws(PaletteFile.Problem) -> [Double] {
            var numbers: [Double] = []
            for _ in 0..<count { numbers.append(try block.float()) }
            return numbers
        }
        func share(_ number: Double) throws(PaletteFile.Problem) -> Double {
            guard 0...1 ~= number else { throw .init(byte: start, "a number of the colour is not in 0...1") }
            return number
        }
        switch model {
        case 0x5247_4220:  // "RGB "
            let values = try numbers(3)
            return .init(
                name: name, rgb: RGB(r: try share(values[0]), g: try share(values[1]), b: try share(values[2])) * 255)
        case 0x4C41_4220:  // "LAB "
            let values = try numbers(3)
            guard -128...128 ~= values[1], -128...128 ~= values[2] else {
                throw .init(byte: start, "a number of the colour is out of range")
            }
            return .init(name: name, lab: CIELab(lightness: 100 * (try share(values[0])), a: values[1], b: values[2]))
        case 0x4772_6179, 0x4752_4159:  // "Gray", and "GRAY" of other programs
            return .init(name: name, rgb: RGB(all: 255 * (try share(try numbers(1)[0]))))
        case 0x434D_594B: throw .cmyk(at: start)  // "CMYK"
        default: throw .init(byte: start, "the colour model is not supported")
        }
    }
}

extension PaletteFile.Problem {
    /// The colour of inks depends on the paper and the press, which the file does not name.
    fileprivate static func cmyk(at start: Int) -> Self {
        .init(byte: start, "CMYK colours depend on ink and paper; export the colours as RGB or Lab")
    }
}

/// A reader of big-endian numbers and texts.
private struct BigEndianReader {
    private let bytes: ArraySlice<UInt8>
    /// The number of bytes before the next one, in the file.
    private(set) var offset: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        offset = 0
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// The number of bytes that are left.
    var rest: Int { bytes.endIndex - offset }

    mutating func number16() throws(PaletteFile.Problem) -> UInt16 {
        try take(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func number32() throws(PaletteFile.Problem) -> UInt32 {
        try take(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns a number of single precision; 0 is never negative.
    mutating func float() throws(PaletteFile.Problem) -> Double {
        let start = offset
        let number = Double(Float(bitPattern: try number32()))
        guard number.isFinite else { throw .init(byte: start, "this is not a number") }
        return number
    }

    /// Returns a text in UTF-16, without the 0 that ends it.
    mutating func text(units count: Int) throws(PaletteFile.Problem) -> String {
        let bytes = Array(try take(2 * count))
        let units = stride(from: 0, to: bytes.count, by: 2).map { index -> UInt16 in
            UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }

    /// Returns a reader of the next bytes.
    mutating func part(_ count: Int) throws(PaletteFile.Problem) -> BigEndianReader {
        BigEndianReader(try take(count))
    }

    private mutating func take(_ count: Int) throws(PaletteFile.Problem) -> ArraySlice<UInt8> {
        guard count <= rest else { throw .init(byte: offset, "the file ends too early") }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}
