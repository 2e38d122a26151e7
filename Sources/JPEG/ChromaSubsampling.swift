import CTurboJPEG

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
