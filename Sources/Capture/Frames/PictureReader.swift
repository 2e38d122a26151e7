import Configuration
import JPEG
import Pixels
import Readings
import V4L2

struct FrameColors {
    var region: RegionColors
    /// The colours of the probes, in their order.
    var probes: [RegionColors] = []
    /// The colours of the areas that a client wants to have measured, in their order.
    var areas: [RegionColors] = []
    /// The profiles that show a shift of the picture, if they were wanted and there are areas to watch.
    var profiles: TileProfiles?
}

/// The parts of a picture that are read.
struct PictureParts {
    var region = Region.full
    var probes: [Region] = []
    /// The areas that a client wants to have measured. Together they are no larger than the picture.
    var areas: [Region] = []
}

/// The analysers of one layout of pictures: one of the region, and one of each probe and area.
struct FrameAnalyser {
    let region: Analyser
    private let probes: [Analyser]
    private let areas: [Analyser]
    /// Nil if there is no area that a shift of the picture would put in another place.
    private let tiles: TileReader?

    /// - Returns: Nil if the layout cannot be read.
    init?(layout: PictureLayout, _ parts: PictureParts, average: Average) {
        guard let analyser = Analyser(layout: layout, region: parts.region, average: average) else { return nil }
        region = analyser
        tiles = TileReader(analyser, around: [parts.region] + parts.probes)
        probes = parts.probes.compactMap { analyser.reading($0, oneOf: parts.probes.count) }
        areas = parts.areas.compactMap { analyser.reading($0, oneOf: 1) }
        guard probes.count == parts.probes.count, areas.count == parts.areas.count else { return nil }
    }

    /// Reads the colours of a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    func colors(
        of first: RawSpan, _ second: RawSpan, _ third: RawSpan, withStatistics: Bool, withProfiles: Bool
    ) -> FrameColors? {
        guard let colors = region.colors(of: first, second, third, withStatistics: withStatistics) else { return nil }
        var result = FrameColors(region: colors)
        for (analysers, list) in [(probes, \FrameColors.probes), (areas, \.areas)] {
            result[keyPath: list].reserveCapacity(analysers.count)
            for analyser in analysers {
                guard let colors = analyser.colors(of: first, second, third, withStatistics: withStatistics) else {
                    return nil
                }
                result[keyPath: list].append(colors)
            }
        }
        if withProfiles { result.profiles = tiles?.profiles(of: first, second, third) }
        return result
    }
}

/// The reader of the colours of a source's frames, whatever their format.
enum PictureReader {
    case raw(FrameAnalyser)
    case jpeg(JPEGReader)

    struct Parameters: Equatable {
        /// The region in the picture as people see it: rotated and mirrored.
        var region: Region
        /// The regions of the probes, like ``region``.
        var probes: [Region]
        var average: Average
        var colorimetry: Config.Camera.Colorimetry
        var sensor: Config.Camera.Sensor
        var orientation: Orientation
    }

    /// - Parameter areas: Further parts, like the regions of the parameters.
    init(format: FrameFormat, _ parameters: Parameters, areas: [Region] = []) throws(UnreadableFormat) {
        // A device may grant a larger size than can be requested: an MJPG of 65535 x 65535 would be decoded into 12 GB.
        let sides = Config.Camera.sides
        guard sides.contains(format.width), sides.contains(format.height) else {
            throw UnreadableFormat(reason: "a side of a picture may have at most \(sides.upperBound) pixels")
        }
        guard format.fields != .sequential else {
            throw UnreadableFormat(reason: "each frame has its two fields one below the other")
        }
        func stored(_ region: Region) -> Region {
            parameters.orientation.unoriented(region, width: format.width, height: format.height)
        }
        let parts = PictureParts(
            region: stored(parameters.region), probes: parameters.probes.map(stored), areas: areas.map(stored))
        if format.isJPEG {
            self = .jpeg(
                JPEGReader(
                    width: format.width, height: format.height, parts, average: parameters.average,
                    colorimetry: parameters.colorimetry))
        } else {
            let layout = try PictureLayout(
                format, colorimetry: parameters.colorimetry, sensor: parameters.sensor)
            guard let analyser = FrameAnalyser(layout: layout, parts, average: parameters.average) else {
                throw UnreadableFormat(reason: "its rows or buffers are too short for a picture of this size")
            }
            self = .raw(analyser)
        }
    }

    /// The assumed interpretation of code values, for people; nil if nothing has to be assumed.
    var assumedEncoding: String? {
        switch self {
        case .raw(let analyser): analyser.region.layout.assumedEncoding
        case .jpeg(let reader): reader.assumedEncoding
        }
    }

    /// Reads the colours of a frame.
    /// - Throws: The reason why they cannot be read.
    mutating func colors(
        of frame: borrowing Frame, withStatistics: Bool, withProfiles: Bool = false
    ) throws(FrameFault) -> FrameColors {
        switch self {
        case .raw(let analyser):
            let colors = frame.withPlanes {
                analyser.colors(of: $0, $1, $2, withStatistics: withStatistics, withProfiles: withProfiles)
            }
            guard let colors else { throw FrameFault(.tooShort) }
            return colors
        case .jpeg(var reader):
            defer { self = .jpeg(reader) }
            return try frame.withBytes(ofPlane: 0) { bytes throws(FrameFault) in
                try reader.colors(of: bytes, withStatistics: withStatistics, withProfiles: withProfiles)
            }
        }
    }
}

/// The reader of the colours of frames that are JPEG images.
struct JPEGReader {
    private let parts: PictureParts
    private let average: Average
    private let encoding: ColorEncoding
    private let width: Int
    private let height: Int
    private var image = PlanarImage()
    /// The analysers for the layouts of the last images. A camera's images usually share one layout.
    private var analysers: [FrameAnalyser] = []

    /// - Parameters:
    ///   - width: The negotiated width, in pixels.
    ///   - height: The negotiated height, in pixels.
    ///   - parts: The parts of the stored picture that are read.
    init(
        width: Int, height: Int, _ parts: PictureParts = PictureParts(), average: Average = .srgb,
        colorimetry: Config.Camera.Colorimetry = .auto
    ) {
        self.width = width
        self.height = height
        self.parts = parts
        self.average = average
        encoding = .jfif.applying(colorimetry)
    }

    /// The assumed interpretation of code values, for people.
    var assumedEncoding: String? { encoding.name(for: .yCbCr) }

    /// Reads the colours of an image.
    /// - Throws: The reason why the frame cannot be decoded.
    mutating func colors(
        of bytes: RawSpan, withStatistics: Bool, withProfiles: Bool = false
    ) throws(FrameFault) -> FrameColors {
        do throws(JPEGError) {
            try JPEGDecoder.decode(bytes, width: width, height: height, into: &image)
        } catch {
            throw FrameFault(error)
        }
        let analyser = analyser(for: PictureLayout(image, encoding: encoding))
        let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
        let colors = unsafe analyser?.colors(
            of: y.span.bytes, cb.span.bytes, cr.span.bytes, withStatistics: withStatistics, withProfiles: withProfiles)
        guard let colors else { throw FrameFault(.damaged) }
        return colors
    }

    private mutating func analyser(for layout: PictureLayout) -> FrameAnalyser? {
        if let known = analysers.first(where: { $0.region.layout == layout }) { return known }
        guard let analyser = FrameAnalyser(layout: layout, parts, average: average) else { return nil }
        // Two layouts are enough. Images whose layout keeps changing must not fill the memory.
        if analysers.count >= 2 { analysers.removeFirst() }
        analysers.append(analyser)
        return analyser
    }
}

extension FrameFault {
    /// The fault of a frame that is not a JPEG image of the negotiated kind and size.
    init(_ error: JPEGError) {
        let (kind, detail): (Kind, String?) =
            switch error {
            case .notJPEG: (.notJPEG, nil)
            case .truncated: (.tooShort, nil)
            case .otherSize(let sizes): (.size, sizes)
            case .unsupported(let kind): (.colorSpace, kind)
            case .corrupt, .failed: (.damaged, nil)
            }
        self.init(kind, detail: detail)
    }
}

extension PictureReader.Parameters {
    init(_ config: Config) {
        self.init(
            region: config.readings.region, probes: config.probes.map(\.region), average: config.readings.average,
            colorimetry: config.camera.colorimetry, sensor: config.camera.sensor, orientation: config.camera.orientation
        )
    }
}
