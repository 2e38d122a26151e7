import Configuration
import JPEG
import Pixels
import V4L2

/// The renderer of the frames of one format in the configured orientation. It reuses its memory from frame to frame.
struct FrameRenderer {
    private enum Source {
        /// Raw frames that convert directly to the planes that JPEG stores.
        case planes(JFIFConverter, Renderer)
        /// Raw frames in a pixel order that libjpeg-turbo accepts.
        case pixels(JPEGEncoder.PixelOrder, bytesPerLine: Int, Renderer)
        /// Raw frames that have to be converted to R'G'B' first.
        case raw(Renderer)
        case jpeg
        /// JPEG images that, according to the configuration, are not encoded as JFIF defines, so that other programs
        /// would show other colours than Swatchcam reads.
        case recoded(ColorEncoding)
    }

    private let format: FrameFormat
    private let orientation: Orientation
    private let source: Source
    private var image = PlanarImage()
    private var planes = JFIFPlanes()
    private var orientedPlanes = JFIFPlanes()
    /// The memory of a finished bitmap in the camera's orientation, made when first needed.
    private var unoriented: Bitmap?
    /// The memory of a finished bitmap in the final orientation, made when first needed.
    private var oriented: Bitmap?

    /// - Returns: Nil if frames of this format cannot be drawn.
    init?(
        _ format: FrameFormat, colorimetry: Config.Camera.Colorimetry,
        sensor: Config.Camera.Sensor = Config().camera.sensor,
        orientation: Orientation
    ) {
        guard Bitmap.sides.contains(format.width), Bitmap.sides.contains(format.height) else { return nil }
        self.format = format
        self.orientation = orientation
        if format.isJPEG {
            let encoding = ColorEncoding.jfif.applying(colorimetry)
            source = encoding == .jfif ? .jpeg : .recoded(encoding)
            return
        }
        guard let layout = try? PictureLayout(format, colorimetry: colorimetry, sensor: sensor),
            let renderer = Renderer(layout: layout)
        else { return nil }
        if let converter = JFIFConverter(layout: layout) {
            source = .planes(converter, renderer)
        } else if let order = JPEGEncoder.PixelOrder(layout), orientation == .upright {
            source = .pixels(order, bytesPerLine: layout.bytesPerLine[0], renderer)
        } else {
            source = .raw(renderer)
        }
    }

    /// Encodes the frame without an effect, as a JPEG image.
    mutating func live(
        _ frame: FrameCopy, quality: Int, encoder: borrowing JPEGEncoder
    ) throws(JPEGError) -> [UInt8] {
        switch source {
        case .jpeg:
            let image = try JPEGImage.complete(unsafe frame.plane(0).span.bytes)
            if orientation == .upright {
                // Nothing else decodes an image that is passed on.
                if !frame.isRead {
                    try JPEGDecoder.check(unsafe image.span.bytes, width: format.width, height: format.height)
                }
                return image
            }
            return try JPEGTransform(orientation).apply(to: image, width: format.width, height: format.height)
        case .planes(let converter, _):
            let (first, second, third) = (frame.plane(0), frame.plane(1), frame.plane(2))
            let isComplete = unsafe converter.convert(
                first.span.bytes, second.span.bytes, third.span.bytes, into: &planes)
            guard isComplete else { throw .truncated }
            if orientation == .upright { return try encoder.encode(planes, quality: quality) }
            orientation.apply(to: planes, into: &orientedPlanes)
            return try encoder.encode(orientedPlanes, quality: quality)
        case .pixels(let order, let bytesPerLine, _):
            let pixels = frame.plane(0)
            guard pixels.count >= (format.height - 1) * bytesPerLine + format.width * order.bytesPerPixel else {
                throw .truncated
            }
            return try encoder.encode(
                unsafe pixels.span.bytes, order: order, bytesPerLine: bytesPerLine, width: format.width,
                height: format.height, quality: quality)
        case .raw, .recoded:
            let bitmap = try drawn(frame)
            defer { oriented = bitmap }
            return try encoder.encode(bitmap, quality: quality)
        }
    }

    /// Encodes the frame with an effect, as a JPEG image.
    mutating func processed(
        _ frame: FrameCopy, quality: Int, encoder: borrowing JPEGEncoder, _ effect: (inout Bitmap) -> Void
    ) throws(JPEGError) -> [UInt8] {
        var bitmap = try drawn(frame)
        defer { oriented = bitmap }
        effect(&bitmap)
        return try encoder.encode(bitmap, quality: quality)
    }

    /// Draws the frame in R'G'B', in the final orientation.
    ///
    /// The bitmap is moved out of `oriented`. The caller puts it back afterwards.
    private mutating func drawn(_ frame: FrameCopy) throws(JPEGError) -> Bitmap {
        guard orientation != .upright else {
            var picture = try bitmap(taking: &oriented, width: format.width, height: format.height)
            try draw(frame, into: &picture)
            return picture
        }
        var picture = try bitmap(taking: &unoriented, width: format.width, height: format.height)
        try draw(frame, into: &picture)
        let (width, height) = orientation.swapsSides ? (picture.height, picture.width) : (picture.width, picture.height)
        var result = try bitmap(taking: &oriented, width: width, height: height)
        orientation.apply(to: picture, into: &result)
        unoriented = picture
        return result
    }

    private mutating func draw(_ frame: FrameCopy, into picture: inout Bitmap) throws(JPEGError) {
        switch source {
        case .jpeg:
            try JPEGDecoder.decode(unsafe frame.plane(0).span.bytes, into: &picture)
        case .recoded(let encoding):
            try JPEGDecoder.decode(
                unsafe frame.plane(0).span.bytes, width: format.width, height: format.height, into: &image)
            let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
            let isComplete = unsafe Renderer(layout: PictureLayout(image, encoding: encoding))?.render(
                y.span.bytes, cb.span.bytes, cr.span.bytes, into: &picture)
            guard isComplete == true else { throw .truncated }
        case .planes(_, let renderer), .pixels(_, _, let renderer), .raw(let renderer):
            let (first, second, third) = (frame.plane(0), frame.plane(1), frame.plane(2))
            let isComplete = unsafe renderer.render(
                first.span.bytes, second.span.bytes, third.span.bytes, into: &picture)
            guard isComplete else { throw .truncated }
        }
    }
}

/// Returns a bitmap that reuses the spare one's memory if there is one.
///
/// The spare is set to nil, so that the bitmap has one owner and is not copied when it is written.
private func bitmap(taking spare: inout Bitmap?, width: Int, height: Int) throws(JPEGError) -> Bitmap {
    defer { spare = nil }
    guard let bitmap = spare ?? Bitmap(width: width, height: height) else {
        throw .unsupported("a picture of \(width) x \(height) pixels")
    }
    return bitmap
}

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
        guard layout.encoding.range == .full, layout.encoding.linearLight == nil else { return nil }
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
