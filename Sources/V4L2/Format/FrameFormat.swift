/// The format of a stream, as the driver granted it.
public struct FrameFormat: Equatable, Sendable {
    /// The layout of one memory plane.
    public struct Plane: Equatable, Sendable {
        /// The distance between the starts of two rows, in bytes; 0 for a compressed format.
        public var bytesPerLine: Int
        /// The size of the plane's buffer in bytes; for a stream, the size that was allocated.
        public var sizeImage: Int

        /// Creates a plane from the given values, unchecked.
        public init(bytesPerLine: Int, sizeImage: Int) {
            self.bytesPerLine = bytesPerLine
            self.sizeImage = sizeImage
        }
    }

    /// The arrangement of the two fields of an interlaced picture (`enum v4l2_field`).
    public enum Fields: Sendable {
        /// A buffer holds a picture without fields, both fields interleaved, or always the same field.
        case together
        /// Buffers have the upper and the lower field in turn, both with the number of their frame.
        case alternating
        /// A buffer has one field below the other.
        case sequential
    }

    /// The V4L2 code of the pixel format.
    public var fourCC: FourCC
    /// The picture width in pixels.
    public var width: Int
    /// The picture height in pixels.
    public var height: Int
    /// The memory planes, at least one. A planar format such as NV12 may occupy a single memory plane.
    public var planes: [Plane]
    /// The relation between the numbers and colours.
    public var colorimetry: Colorimetry
    /// The rate that the driver reports, in frames per second; nil if it reports none.
    public var framesPerSecond: Double?
    /// The arrangement of the fields, if the picture is interlaced.
    public var fields: Fields

    /// Creates a format from the given values, unchecked.
    public init(
        fourCC: FourCC, width: Int, height: Int, planes: [Plane], colorimetry: Colorimetry, framesPerSecond: Double?,
        fields: Fields = .together
    ) {
        self.fourCC = fourCC
        self.width = width
        self.height = height
        self.planes = planes
        self.colorimetry = colorimetry
        self.framesPerSecond = framesPerSecond
        self.fields = fields
    }
}

extension FrameFormat {
    /// A summary for people: `YUYV 640x480 at 15.0 frames a second`.
    public var summary: String {
        let rate = framesPerSecond.map { " at \(($0 * 10).rounded() / 10) frames a second" } ?? ""
        return "\(fourCC) \(width)x\(height)\(rate)"
    }
}

/// A V4L2 pixel format code: four characters, and bit 31 for "big-endian" (`V4L2_PIX_FMT_*`, `v4l2_fourcc_be`).
public struct FourCC: Hashable, Sendable, RawRepresentable {
    /// The code as the kernel represents it.
    public var rawValue: UInt32

    /// Creates a code from the kernel's representation.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Parses a code as people write it: one to four printable ASCII characters, optionally followed by `-BE` for the
    /// big-endian variant. Nil for anything else.
    public init?(_ text: String) {
        let bigEndian = text.hasSuffix("-BE")
        let characters = Array((bigEndian ? text.dropLast(3) : text[...]).utf8)
        guard (1...4).contains(characters.count), characters.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        rawValue = bigEndian ? 1 << 31 : 0
        for (index, character) in (characters + [0x20, 0x20, 0x20]).prefix(4).enumerated() {
            rawValue |= UInt32(character) << (8 * UInt32(index))
        }
    }
}

extension FourCC: CustomStringConvertible, ExpressibleByStringLiteral {
    /// Creates a code from a literal. A literal that is not a valid code becomes 0, which no driver uses.
    public init(stringLiteral value: String) {
        self = FourCC(value) ?? FourCC(rawValue: 0)
    }

    /// The code as people write it, without trailing spaces.
    public var description: String {
        var characters = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7FFF_FFFF) >> (8 * $0)) }
        while characters.last == 0x20 { characters.removeLast() }
        let text = characters.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "?" }.joined()
        return rawValue >> 31 == 1 ? text + "-BE" : text
    }
}

/// A pixel format that a camera offers, with its sizes and rates.
public struct OfferedFormat: Equatable, Sendable {
    /// The sizes in which a format is offered.
    public enum Sizes: Equatable, Sendable {
        /// A list of sizes.
        case discrete([Size])
        /// All sizes within two ranges, in steps; all numbers are in pixels.
        case stepwise(width: ClosedRange<Int>, widthStep: Int, height: ClosedRange<Int>, heightStep: Int)
    }

    /// A size and its frame rates.
    public struct Size: Encodable, Equatable, Sendable {
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int
        /// The rates in frames per second, highest first; both ends of a continuous range; empty if the driver reports
        /// none.
        public var rates: [Double]

        /// Creates a size from the given values, unchecked.
        public init(width: Int, height: Int, rates: [Double]) {
            self.width = width
            self.height = height
            self.rates = rates
        }
    }

    /// The V4L2 code of the pixel format.
    public var fourCC: FourCC
    /// The driver's name for it.
    public var name: String
    /// The sizes in which it is offered.
    public var sizes: Sizes
    /// Whether another format holds the same samples of the camera in less memory, so that this one is used only if the
    /// configuration names it.
    public var isAlternative = false
}
