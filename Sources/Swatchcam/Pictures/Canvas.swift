import JPEG
import Pixels
import V4L2

/// Draws the frames of one format, turned as the configuration says. It keeps its memory from frame to frame.
struct Canvas {
    private enum Source {
        /// Raw, and near enough to what JPEG stores to be taken apart into planes.
        case planes(JFIFConverter, Renderer)
        /// Raw, and in pixels as libjpeg-turbo takes them.
        case pixels(JPEGEncoder.PixelOrder, bytesPerLine: Int, Renderer)
        case raw(Renderer)
        case jpeg
    }

    private let format: FrameFormat
    private let orientation: Orientation
    private let source: Source
    private var planes = JFIFPlanes()
    private var turnedPlanes = JFIFPlanes()
    private var picture: Bitmap
    private var turned: Bitmap

    /// - Returns: Nil if frames of this format cannot be drawn.
    init?(_ format: FrameFormat, colorimetry: Config.Camera.Colorimetry, orientation: Orientation) {
        let size = orientation.swapsSides ? (format.height, format.width) : (format.width, format.height)
        guard let picture = Bitmap(width: format.width, height: format.height),
            let turned = Bitmap(width: size.0, height: size.1)
        else { return nil }
        self.format = format
        self.orientation = orientation
        (self.picture, self.turned) = (picture, turned)
        if format.isJPEG {
            source = .jpeg
            return
        }
        guard let layout = PictureLayout(format, colorimetry: colorimetry), let renderer = Renderer(layout: layout)
        else {
            return nil
        }
        if let converter = JFIFConverter(layout: layout) {
            source = .planes(converter, renderer)
        } else if let order = JPEGEncoder.PixelOrder(layout), orientation == .upright {
            source = .pixels(order, bytesPerLine: layout.bytesPerLine[0], renderer)
        } else {
            source = .raw(renderer)
        }
    }

    /// The frame as the camera sees it, as a JPEG image.
    mutating func live(
        _ frame: StoredFrame, quality: Int, encoder: borrowing JPEGEncoder
    ) throws(JPEGError) -> [UInt8] {
        switch source {
        case .jpeg:
            let image = try JPEGImage.complete(unsafe frame.plane(0).span.bytes)
            return orientation == .upright ? image : try JPEGTransform(orientation).apply(to: image)
        case .planes(let converter, _):
            let (first, second, third) = (frame.plane(0), frame.plane(1), frame.plane(2))
            let isWhole = unsafe converter.convert(
                first.span.bytes, second.span.bytes, third.span.bytes, into: &planes)
            guard isWhole else { throw .truncated }
            if orientation == .upright { return try encoder.encode(planes, quality: quality) }
            orientation.apply(to: planes, into: &turnedPlanes)
            return try encoder.encode(turnedPlanes, quality: quality)
        case .pixels(let order, let bytesPerLine, _):
            let pixels = frame.plane(0)
            return try encoder.encode(
                unsafe pixels.span.bytes, order: order, bytesPerLine: bytesPerLine, width: format.width,
                height: format.height, quality: quality)
        case .raw:
            return try encoder.encode(drawn(frame), quality: quality)
        }
    }

    /// The frame with an effect, as a JPEG image.
    mutating func processed(
        _ frame: StoredFrame, _ effect: any Effect, quality: Int, encoder: borrowing JPEGEncoder
    ) throws(JPEGError) -> [UInt8] {
        var bitmap = try drawn(frame)
        effect.apply(to: &bitmap)
        return try encoder.encode(bitmap, quality: quality)
    }

    /// The frame in R'G'B', turned.
    private mutating func drawn(_ frame: StoredFrame) throws(JPEGError) -> Bitmap {
        switch source {
        case .jpeg:
            try JPEGDecoder.decode(unsafe frame.plane(0).span.bytes, into: &picture)
        case .planes(_, let renderer), .pixels(_, _, let renderer), .raw(let renderer):
            let (first, second, third) = (frame.plane(0), frame.plane(1), frame.plane(2))
            let isWhole = unsafe renderer.render(
                first.span.bytes, second.span.bytes, third.span.bytes, into: &picture)
            guard isWhole else { throw .truncated }
        }
        guard orientation != .upright else { return picture }
        orientation.apply(to: picture, into: &turned)
        return turned
    }
}
