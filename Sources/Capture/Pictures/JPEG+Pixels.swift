import JPEG
import Pixels
import V4L2

/// The link between the libraries `JPEG` and `Pixels`, which do not import each other.
extension JPEGEncoder {
    borrowing func encode(_ bitmap: Bitmap, quality: Int) throws(JPEGError) -> [UInt8] {
        try encode(
            unsafe bitmap.bytes.span.bytes, order: .rgbx, bytesPerLine: Bitmap.bytesPerPixel * bitmap.width,
            width: bitmap.width, height: bitmap.height, quality: quality)
    }

    borrowing func encode(_ planes: JFIFPlanes, quality: Int) throws(JPEGError) -> [UInt8] {
        let (y, cb, cr) = (planes.planes[0], planes.planes[1], planes.planes[2])
        let chromaShifts = planes.isGrey ? nil : (planes.xShift, planes.yShift)
        return try encode(
            unsafe (y.bytes.span.bytes, cb.bytes.span.bytes, cr.bytes.span.bytes),
            bytesPerLine: [y.bytesPerLine, cb.bytesPerLine, cr.bytesPerLine], width: planes.width,
            height: planes.height, chromaShifts: chromaShifts, quality: quality)
    }
}

extension JPEGEncoder.PixelOrder {
    /// Finds the order of a picture's bytes; nil if its pixels are not 8-bit R'G'B' with full range.
    init?(_ layout: PictureLayout) {
        guard layout.encoding.range == .full else { return nil }
        switch layout.format.rgbOffsets {
        case [0, 1, 2] where layout.format.bitsPerPixel == 24: self = .rgb
        case [2, 1, 0] where layout.format.bitsPerPixel == 24: self = .bgr
        case [0, 1, 2]: self = .rgbx
        case [2, 1, 0]: self = .bgrx
        case [1, 2, 3]: self = .xrgb
        case [3, 2, 1]: self = .xbgr
        default: return nil
        }
    }
}

extension JPEGDecoder {
    /// Decodes an image of the bitmap's size into the bitmap.
    static func decode(_ bytes: RawSpan, into bitmap: inout Bitmap) throws(JPEGError) {
        let (width, height) = (bitmap.width, bitmap.height)
        try bitmap.withMutableBytes { (pixels: inout MutableSpan<UInt8>) throws(JPEGError) in
            try unsafe pixels.withUnsafeMutableBufferPointer { pixels throws(JPEGError) in
                try unsafe decodeRGBX(bytes, width: width, height: height, into: pixels)
            }
        }
    }
}

extension JPEGTransform {
    init(_ orientation: Orientation) {
        self.init(degreesClockwise: orientation.rotation.rawValue, isMirrored: orientation.isMirrored)
    }
}
