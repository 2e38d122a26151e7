/// Where the components of each pixel lie in memory.
///
/// A format is a description, not a piece of code: a few loops read them all.
public struct PixelFormat: Equatable, Sendable {
    /// What the components mean.
    public enum Model: Equatable, Sendable {
        /// Red, green, blue; of a Bayer mosaic the samples of each colour.
        case rgb
        /// Luma, blue difference, red difference.
        case yCbCr
        /// Hue, saturation, value.
        case hsv
        /// Luma only, of full range whatever the driver declares: grey cameras have no footroom.
        case grey
    }

    /// How samples are cut out of memory.
    enum Word: Equatable, Sendable {
        case byte
        case littleEndian16
        case bigEndian16
        /// MIPI CSI-2's packing of RAW10, RAW12 and RAW14: the upper 8 bits of a few samples, then all their lower bits.
        case packed10
        case packed12
        case packed14

        /// The bytes from the start of a row to the end of the word that a sample lies in.
        func end(ofSampleAt index: Int) -> Int {
            switch self {
            case .byte: index + 1
            case .littleEndian16, .bigEndian16: index + 2
            case .packed10: Packed10.end(ofSampleAt: index)
            case .packed12: Packed12.end(ofSampleAt: index)
            case .packed14: Packed14.end(ofSampleAt: index)
            }
        }

        /// How many bits from one sample place to the next: of packed words a sample's, of others a byte's.
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
        /// Which channel of the model it is; both greens of a Bayer mosaic are green.
        var channel: Int
        /// Which of the format's planes.
        var plane = 0
        /// Of the first sample from the start of a row: in bytes, or in samples where these are packed across bytes.
        var offset: Int
        /// From one sample to the next, alike.
        var step: Int
        /// log2 of the number of pixels in a row that share a sample.
        var xShift = 0
        /// log2 of the number of rows that share a sample.
        var yShift = 0
        /// Rows of the plane from one sample to the next below, and to the first: of a Bayer mosaic not 1 and 0.
        var rowStep = 1
        var rowOffset = 0
        /// How many rows follow one another before others come between; then `rowStep` is from such a group to the next.
        var rowGroup = 1
        /// The sample's bits in its word, above the lowest `shift`.
        var bits = 8
        var shift = 0
        /// Its share of the channel: both greens of a Bayer mosaic count half.
        var weight = 1.0
    }

    /// One plane.
    struct Plane: Equatable, Sendable {
        /// The buffer that it lies in. Planes in one buffer follow one another without a gap.
        var buffer = 0
        /// log2 of the number of picture rows to one row of the plane.
        var yShift = 0
        /// Bytes from row to row, as a multiple and a fraction (log2) of the buffer's bytes per line.
        var strideMultiple = 1
        var strideShift = 0
    }

    /// V4L2's code, as `V4L2_PIX_FMT_*` has it, trailing spaces removed, `-BE` after it for big-endian ones.
    public let fourCC: String
    /// What people call it.
    public let name: String
    /// What the components mean.
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

    /// The format of a V4L2 code; nil if it cannot be read.
    public static func named(_ fourCC: String) -> PixelFormat? { byCode[fourCC] }

    private static let byCode = Dictionary(all.map { ($0.fourCC, $0) }) { first, _ in first }

    /// The buffers that a picture lies in.
    public var bufferCount: Int { (planes.map(\.buffer).max() ?? 0) + 1 }

    /// Where red, green and blue lie in a pixel's 3 or 4 bytes; nil if they are no bytes of their own.
    public var rgbOffsets: [Int]? {
        guard model == .rgb, word == .byte, components.count == 3,
            components.allSatisfy({ $0.bits == 8 && ($0.step == 3 || $0.step == 4) })
        else { return nil }
        return components.map(\.offset)
    }

    /// Bits that a pixel takes on average, those that stand for nothing included.
    public var bitsPerPixel: Int {
        // In 256ths: chroma of one plane may take half a bit.
        let parts = planes.indices.map { plane in
            components.filter { $0.plane == plane }
                .map { ($0.step * word.bitsPerPlace * 256 * $0.rowStep / $0.rowGroup) >> ($0.xShift + $0.yShift) }
                .max() ?? 0
        }
        return parts.reduce(0, +) / 256
    }
}
