import CTurboJPEG

/// How chroma is shared.
struct ChromaSubsampling: Equatable {
    var xShift: Int
    var yShift: Int
    var isGrey = false

    /// - Returns: Nil for a subsampling of no name.
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

    /// libjpeg-turbo's number of it.
    /// - Parameter shifts: log2 of the pixels that share chroma, in a row and in a column; nil: there is none.
    /// - Returns: Nil if JPEG has no such subsampling.
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
