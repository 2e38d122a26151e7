import Configuration
import JPEG
import Pixels
import V4L2

/// The reader of the colours of a source's frames, whatever their format.
enum PictureReader {
    case raw(Analyser)
    case jpeg(JPEGReader)

    /// The settings for reading a picture.
    struct Parameters: Equatable {
        /// The region in the picture as people see it: rotated and mirrored.
        var region: Region
        var average: Average
        var colorimetry: Config.Camera.Colorimetry
        var sensor: Config.Camera.Sensor
        var orientation: Orientation

        init(_ config: Config) {
            region = config.readings.region
            average = config.readings.average
            colorimetry = config.camera.colorimetry
            sensor = config.camera.sensor
            orientation = config.camera.orientation
        }
    }

    init(format: FrameFormat, _ parameters: Parameters) throws(UnreadableFormat) {
        // A device may grant a larger size than can be requested: an MJPG of 65535 x 65535 would be decoded into 12 GB.
        let sides = Config.Camera.sides
        guard sides.contains(format.width), sides.contains(format.height) else {
            throw UnreadableFormat(reason: "a side of a picture may have at most \(sides.upperBound) pixels")
        }
        guard format.fields != .sequential else {
            throw UnreadableFormat(reason: "each frame has its two fields one below the other")
        }
        let region = parameters.orientation.unoriented(
            parameters.region, width: format.width, height: format.height)
        if format.isJPEG {
            self = .jpeg(
                JPEGReader(
                    width: format.width, height: format.height, region: region, average: parameters.average,
                    colorimetry: parameters.colorimetry))
        } else {
            let layout = try PictureLayout(
                format, colorimetry: parameters.colorimetry, sensor: parameters.sensor)
            guard let analyser = Analyser(layout: layout, region: region, average: parameters.average) else {
                throw UnreadableFormat(reason: "its rows or buffers are too short for a picture of this size")
            }
            self = .raw(analyser)
        }
    }

    /// The assumed interpretation of code values, for people; nil if nothing has to be assumed.
    var assumedEncoding: String? {
        switch self {
        case .raw(let analyser): analyser.layout.assumedEncoding
        case .jpeg(let reader): reader.assumedEncoding
        }
    }

    /// Reads the colours of a frame.
    /// - Returns: Nil if the frame is damaged.
    mutating func colors(of frame: borrowing Frame, withStatistics: Bool) -> RegionColors? {
        switch self {
        case .raw(let analyser):
            return frame.withPlanes { analyser.colors(of: $0, $1, $2, withStatistics: withStatistics) }
        case .jpeg(var reader):
            let colors = frame.withBytes(ofPlane: 0) { reader.colors(of: $0, withStatistics: withStatistics) }
            self = .jpeg(reader)
            return colors
        }
    }
}

/// The reader of the colours of frames that are JPEG images.
struct JPEGReader {
    private let region: Region
    private let average: Average
    private let encoding: ColorEncoding
    private let width: Int
    private let height: Int
    private var image = PlanarImage()
    /// The analysers for the layouts of the last images. A camera's images usually share one layout.
    private var analysers: [Analyser] = []

    /// - Parameters:
    ///   - width: The negotiated width, in pixels.
    ///   - height: The negotiated height, in pixels.
    ///   - region: The part of the stored picture that is read.
    init(
        width: Int, height: Int, region: Region = .full, average: Average = .srgb,
        colorimetry: Config.Camera.Colorimetry = .auto
    ) {
        self.width = width
        self.height = height
        self.region = region
        self.average = average
        encoding = .jfif.applying(colorimetry)
    }

    /// The assumed interpretation of code values, for people.
    var assumedEncoding: String? { encoding.name(for: .yCbCr) }

    /// Reads the colours of an image.
    /// - Returns: Nil if the frame cannot be decoded: for example, because it is cut off, not a JPEG image, or of
    ///   another size.
    mutating func colors(of bytes: RawSpan, withStatistics: Bool) -> RegionColors? {
        guard (try? JPEGDecoder.decode(bytes, width: width, height: height, into: &image)) != nil else {
            return nil
        }
        guard let analyser = analyser(for: PictureLayout(image, encoding: encoding)) else { return nil }
        let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
        return unsafe analyser.colors(
            of: y.span.bytes, cb.span.bytes, cr.span.bytes, withStatistics: withStatistics)
    }

    private mutating func analyser(for layout: PictureLayout) -> Analyser? {
        if let known = analysers.first(where: { $0.layout == layout }) { return known }
        guard
            let analyser = Analyser(layout: layout, region: region, average: average)
        else { return nil }
        // Two layouts are enough. Images whose layout keeps changing must not fill the memory.
        if analysers.count >= 2 { analysers.removeFirst() }
        analysers.append(analyser)
        return analyser
    }
}
