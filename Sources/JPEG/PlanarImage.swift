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
    /// - Parameter tjSubsampling: The subsampling as libjpeg-turbo numbers it.
    mutating func prepare(width: Int, height: Int, as subsampling: ChromaSubsampling, _ tjSubsampling: Int32) {
        (self.width, self.height) = (width, height)
        (xShift, yShift, isGrey) = (subsampling.xShift, subsampling.yShift, subsampling.isGrey)
        for index in planes.indices {
            let isUsed = index == 0 || !subsampling.isGrey
            let component = Int32(index)
            // Planes are padded as libjpeg-turbo requires, to whole groups of pixels that share chroma.
            let stride = isUsed ? Int(tjPlaneWidth(component, Int32(width), tjSubsampling)) : 0
            let rows = isUsed ? Int(tjPlaneHeight(component, Int32(height), tjSubsampling)) : 0
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

/// The numbers of pixels that share chroma.
struct ChromaSubsampling: Equatable {
    var xShift: Int
    var yShift: Int
    var isGrey = false

    /// Creates a subsampling from libjpeg-turbo's number; nil if the number is not one of these.
    init?(_ subsampling: Int32) {
        switch subsampling {
        case Int32(TJSAMP_444.rawValue): (xShift, yShift) = (0, 0)
        case Int32(TJSAMP_422.rawValue): (xShift, yShift) = (1, 0)
        case Int32(TJSAMP_420.rawValue): (xShift, yShift) = (1, 1)
        case Int32(TJSAMP_440.rawValue): (xShift, yShift) = (0, 1)
        case Int32(TJSAMP_411.rawValue): (xShift, yShift) = (2, 0)
        case Int32(TJSAMP_GRAY.rawValue): (xShift, yShift, isGrey) = (0, 0, true)
        default: return nil
        }
    }

    /// Returns libjpeg-turbo's number for a subsampling.
    /// - Parameter shifts: log2 of the number of pixels that share chroma, in a row and in a column; nil if there is no
    ///   chroma.
    /// - Returns: Nil if JPEG does not have this subsampling.
    static func subsampling(of shifts: (x: Int, y: Int)?) -> Int32? {
        guard let shifts else { return Int32(TJSAMP_GRAY.rawValue) }
        switch shifts {
        case (0, 0): return Int32(TJSAMP_444.rawValue)
        case (1, 0): return Int32(TJSAMP_422.rawValue)
        case (1, 1): return Int32(TJSAMP_420.rawValue)
        case (0, 1): return Int32(TJSAMP_440.rawValue)
        case (2, 0): return Int32(TJSAMP_411.rawValue)
        default: return nil
        }
    }
}
