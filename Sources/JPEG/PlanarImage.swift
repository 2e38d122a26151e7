import CTurboJPEG

/// A decoded picture in JFIF's Y'CbCr (BT.601, full range), one plane for each component, or luma alone.
public struct PlanarImage: Equatable, Sendable {
    /// The samples of one component.
    public struct Plane: Equatable, Sendable {
        /// The distance between two rows, in bytes.
        public var bytesPerLine = 0
        /// The samples, rows padded to `bytesPerLine`.
        public var bytes: [UInt8] = []
    }

    /// The width in pixels.
    public var width = 0
    /// The height in pixels.
    public var height = 0
    /// log2 of the number of pixels in a row that share chroma.
    public var xShift = 0
    /// log2 of the number of rows that share chroma.
    public var yShift = 0
    /// Whether there is luma alone.
    public var isGrey = false
    /// The planes of luma, blue difference and red difference; the last two of a grey picture are empty.
    public var planes = [Plane(), Plane(), Plane()]

    /// Creates an empty picture. It keeps its memory when one frame after another is decoded into it.
    public init() {}
}

extension PlanarImage {
    /// Allocates room for a picture; memory of the right size is kept.
    mutating func prepare(width: Int, height: Int, as subsampling: ChromaSubsampling) {
        (self.width, self.height) = (width, height)
        let number = subsampling.number
        isGrey = subsampling.shifts == nil
        (xShift, yShift) = subsampling.shifts ?? (0, 0)
        for index in planes.indices {
            let isUsed = index == 0 || !isGrey
            let component = Int32(index)
            // Planes are padded as libjpeg-turbo requires, to whole groups of pixels that share chroma.
            let stride = isUsed ? Int(tjPlaneWidth(component, Int32(width), number)) : 0
            let rows = isUsed ? Int(tjPlaneHeight(component, Int32(height), number)) : 0
            planes[index].bytesPerLine = stride
            if planes[index].bytes.count != stride * rows {
                planes[index].bytes = [UInt8](repeating: 0, count: stride * rows)
            }
        }
    }

    /// Lends the planes in the form that libjpeg-turbo requires.
    mutating func withPlanePointers(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>) -> Int32
    ) -> Int32 {
        var strides = planes.map { Int32($0.bytesPerLine) }
        var (first, second, third) = (planes[0].bytes, planes[1].bytes, planes[2].bytes)
        // There must be no second reference to the arrays, or writing would copy them.
        for index in planes.indices { planes[index].bytes = [] }
        let status = unsafe first.withUnsafeMutableBufferPointer { first in
            unsafe second.withUnsafeMutableBufferPointer { second in
                unsafe third.withUnsafeMutableBufferPointer { third in
                    var pointers = unsafe [first.baseAddress, second.baseAddress, third.baseAddress]
                    return unsafe body(&pointers, &strides)
                }
            }
        }
        (planes[0].bytes, planes[1].bytes, planes[2].bytes) = (first, second, third)
        return status
    }
}

/// A chroma subsampling of JPEG images.
struct ChromaSubsampling {
    /// The subsampling as libjpeg-turbo numbers it.
    let number: Int32
    /// log2 of the number of pixels that share chroma, in a row and in a column; nil if there is no chroma.
    let shifts: (x: Int, y: Int)?

    /// All subsamplings that JPEG and cameras have.
    private static let all = [
        Self(TJSAMP_444, (0, 0)), Self(TJSAMP_422, (1, 0)), Self(TJSAMP_420, (1, 1)), Self(TJSAMP_440, (0, 1)),
        Self(TJSAMP_411, (2, 0)), Self(TJSAMP_GRAY, nil),
    ]

    private init(_ number: TJSAMP, _ shifts: (x: Int, y: Int)?) {
        (self.number, self.shifts) = (Int32(number.rawValue), shifts)
    }

    /// Finds a subsampling by libjpeg-turbo's number; nil if it is not one of these.
    init?(number: Int32) {
        guard let found = Self.all.first(where: { $0.number == number }) else { return nil }
        self = found
    }

    /// Finds a subsampling; nil if JPEG does not have it.
    init?(shifts: (x: Int, y: Int)?) {
        guard let found = Self.all.first(where: { $0.shifts?.x == shifts?.x && $0.shifts?.y == shifts?.y }) else {
            return nil
        }
        self = found
    }
}
