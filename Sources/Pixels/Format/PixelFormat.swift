/// The positions of each pixel's components in memory.
///
/// A format is a description, not code: a few loops read all formats.
public struct PixelFormat: Equatable, Sendable {
    /// The meaning of the components.
    public enum Model: Equatable, Sendable {
        /// Red, green and blue; for a Bayer mosaic, the samples of each colour.
        case rgb
        /// Luma, blue difference, red difference.
        case yCbCr
        /// Hue, saturation, value.
        case hsv
        /// Luma only.
        case grey
    }

    /// The way in which samples are stored in memory.
    enum Word: Equatable, Sendable {
        case byte
        case littleEndian16
        case bigEndian16
        /// MIPI CSI-2's packing of RAW10, RAW12 and RAW14: the upper 8 bits of a few samples, then all their lower
        /// bits.
        case packed10
        case packed12
        case packed14

        /// Returns the number of bytes from the start of a row to the end of the word that contains a sample.
        func end(ofSampleAt index: Int) -> Int {
            switch self {
            case .byte: index + 1
            case .littleEndian16, .bigEndian16: index + 2
            case .packed10: Packed10.end(ofSampleAt: index)
            case .packed12: Packed12.end(ofSampleAt: index)
            case .packed14: Packed14.end(ofSampleAt: index)
            }
        }

        /// The number of bits in a place, the unit of offsets: a sample if samples are packed across bytes, otherwise a
        /// byte.
        var bitsPerPlace: Int {
            switch self {
            case .byte, .littleEndian16, .bigEndian16: 8
            case .packed10: 10
            case .packed12: 12
            case .packed14: 14
            }
        }
    }

    /// The samples of one component.
    struct Component: Equatable, Sendable {
        /// The index of its channel in the model; both greens of a Bayer mosaic are green.
        var channel: Int
        /// The index of its plane in the format.
        var plane = 0
        /// The offset of the first sample in a row, in bytes, or in samples if they are packed across bytes.
        var offset: Int
        /// The distance between two samples, in the same unit.
        var step: Int
        /// log2 of the number of pixels in a row that share a sample.
        var xShift = 0
        /// log2 of the number of rows that share a sample.
        var yShift = 0
        /// The number of plane rows from one sample to the next below it. It differs from 1 for a Bayer mosaic and for
        /// interleaved rows.
        var rowStep = 1
        /// The number of plane rows before the first sample.
        var rowOffset = 0
        /// The number of consecutive rows in a group, if other rows separate groups; `rowStep` is then the distance
        /// between groups.
        var rowGroup = 1
        /// The number of bits of a sample in its word, above the lowest `shift`.
        var bits = 8
        var shift = 0
        /// Its share of the channel: each green of a Bayer mosaic counts half.
        var weight = 1.0
    }

    /// Whether its pixels share samples in cells of two by two, each of one colour filter.
    var isMosaic: Bool { model == .rgb && components.count == 4 }

    /// The layout of one plane.
    struct Plane: Equatable, Sendable {
        /// The index of its buffer. Planes in one buffer follow one another without a gap.
        var buffer = 0
        /// log2 of the number of picture rows for each row of the plane.
        var yShift = 0
        /// The distance between two rows, as a multiple and a fraction (log2) of the buffer's bytes per line.
        var strideMultiple = 1
        var strideShift = 0
    }

    /// V4L2's code (`V4L2_PIX_FMT_*`) without trailing spaces, followed by `-BE` if it is big-endian.
    public let fourCC: String
    /// The name for people.
    public let name: String
    /// The meaning of the components.
    public let model: Model
    let word: Word
    let components: [Component]
    let planes: [Plane]

    init(
        _ fourCC: String, _ name: String, _ model: Model, word: Word = .byte, _ components: [Component],
        planes: [Plane] = [Plane()]
    ) {
        self.fourCC = fourCC
        self.name = name
        self.model = model
        self.word = word
        self.components = components
        self.planes = planes
    }

    /// Returns the format of a V4L2 code; nil if it cannot be read.
    public static func named(_ fourCC: String) -> PixelFormat? { byCode[fourCC] }

    private static let byCode = Dictionary(all.map { ($0.fourCC, $0) }) { first, _ in first }

    /// The number of buffers of a picture.
    public var bufferCount: Int { (planes.map(\.buffer).max() ?? 0) + 1 }

    /// The offsets of red, green and blue in a pixel's 3 or 4 bytes; nil if they are not whole bytes.
    public var rgbOffsets: [Int]? {
        guard model == .rgb, word == .byte, components.count == 3,
            components.allSatisfy({ $0.bits == 8 && ($0.step == 3 || $0.step == 4) })
        else { return nil }
        return components.map(\.offset)
    }

    /// The average number of bits in a pixel, including unused ones.
    public var bitsPerPixel: Int {
        // Counted in 256ths, because the chroma of one plane may take half a bit.
        let parts = planes.indices.map { plane in
            components.filter { $0.plane == plane }
                .map { component -> Int in
                    let bits: Int = component.step * word.bitsPerPlace * 256 * component.rowStep / component.rowGroup
                    return bits >> (component.xShift + component.yShift)
                }
                .max() ?? 0
        }
        return parts.reduce(0, +) / 256
    }
}
