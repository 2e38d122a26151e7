import Configuration
import JPEG
import Metrology
import Pixels
import Readings
import V4L2

/// What is read from a frame.
struct FrameContent {
    /// The colours; nil if they were not wanted.
    var colors: FrameColors?
    /// What each light shows, in the order of the probes that are lights; empty if that was not wanted.
    var lights: [LightFrame] = []
}

struct FrameColors {
    var region: RegionColors
    /// The colours of the probes, in their order.
    var probes: [RegionColors] = []
    /// The colours of the areas that a client wants to have measured, in their order.
    var areas: [RegionColors] = []
    /// The profiles that show a shift of the picture, if they were wanted and there are areas to watch.
    var profiles: TileProfiles?
}

/// What is wanted of a frame besides the mean colours.
struct WantedColors {
    /// Whether the colours are wanted; otherwise only the lights are read.
    var colors = true
    /// Whether the lights are wanted.
    var lights = false
    var statistics = false
    /// The targets whose coverage is wanted with the statistics.
    var coverage: CoverageTable?
    /// Whether the profiles that show a shift of the picture are wanted.
    var profiles = false
}

/// The parts of a picture that are read.
struct PictureParts {
    var region = Region.full
    var probes: [Area] = []
    /// The areas of those probes that are on lights.
    var lights: [Area] = []
    /// The areas that a client wants to have measured. Together they are no larger than the picture.
    var areas: [Region] = []
}

/// The analysers of one layout of pictures: one of the region, and one of each probe and area.
struct FrameAnalyser {
    let region: Analyser
    private let probes: [Analyser]
    private let areas: [Analyser]
    private let lights: [LightAnalyser]
    /// Nil if there is no area that a shift of the picture would put in another place.
    private let tiles: TileReader?

    /// - Returns: Nil if the layout cannot be read.
    init?(layout: PictureLayout, _ parts: PictureParts, average: Average) {
        guard let analyser = Analyser(layout: layout, region: parts.region, average: average) else { return nil }
        region = analyser
        tiles = TileReader(analyser, around: [parts.region] + parts.probes.map(\.region))
        probes = parts.probes.compactMap { analyser.reading($0, oneOf: parts.probes.count) }
        areas = parts.areas.compactMap { analyser.reading(Area($0), oneOf: 1) }
        lights = parts.lights.compactMap { LightAnalyser($0, sharing: analyser, oneOf: parts.lights.count) }
        guard probes.count == parts.probes.count, areas.count == parts.areas.count, lights.count == parts.lights.count
        else { return nil }
    }

    /// Reads a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    func content(of first: RawSpan, _ second: RawSpan, _ third: RawSpan, _ wanted: WantedColors) -> FrameContent? {
        var content = FrameContent()
        if wanted.colors {
            guard let colors = colors(of: first, second, third, wanted) else { return nil }
            content.colors = colors
        }
        if wanted.lights {
            content.lights = lights.compactMap { $0.frame(of: first, second, third) }
            guard content.lights.count == lights.count else { return nil }
        }
        return content
    }

    private func colors(of first: RawSpan, _ second: RawSpan, _ third: RawSpan, _ wanted: WantedColors) -> FrameColors?
    {
        func colors(_ analyser: Analyser, _ coverage: CoverageTable? = nil) -> RegionColors? {
            analyser.colors(of: first, second, third, withStatistics: wanted.statistics, coverage: coverage)
        }
        guard let regionColors = colors(region, wanted.coverage) else { return nil }
        var result = FrameColors(region: regionColors)
        result.probes = probes.compactMap { colors($0, wanted.coverage) }
        result.areas = areas.compactMap { colors($0) }
        guard result.probes.count == probes.count, result.areas.count == areas.count else { return nil }
        if wanted.profiles { result.profiles = tiles?.profiles(of: first, second, third) }
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
        /// The areas of the probes, like ``region``.
        var probes: [Area]
        /// The areas of those that are on lights.
        var lights: [Area]
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
        func stored(_ area: Area) -> Area { Area(stored(area.region), shape: area.shape) }
        let parts = PictureParts(
            region: stored(parameters.region), probes: parameters.probes.map(stored),
            lights: parameters.lights.map(stored), areas: areas.map(stored))
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

    /// Reads a frame.
    /// - Throws: The reason why it cannot be read.
    mutating func content(of frame: borrowing Frame, _ wanted: WantedColors) throws(FrameFault) -> FrameContent {
        switch self {
        case .raw(let analyser):
            let content = frame.withPlanes { analyser.content(of: $0, $1, $2, wanted) }
            guard let content else { throw FrameFault(.tooShort) }
            return content
        case .jpeg(var reader):
            defer { self = .jpeg(reader) }
            return try frame.withBytes(ofPlane: 0) { bytes throws(FrameFault) in
                try reader.content(of: bytes, wanted)
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

    /// Reads an image.
    /// - Throws: The reason why the frame cannot be decoded.
    mutating func content(of bytes: RawSpan, _ wanted: WantedColors) throws(FrameFault) -> FrameContent {
        do throws(JPEGError) {
            try JPEGDecoder.decode(bytes, width: width, height: height, into: &image)
        } catch {
            throw FrameFault(error)
        }
        let analyser = analyser(for: PictureLayout(image, encoding: encoding))
        let (y, cb, cr) = (image.planes[0].bytes, image.planes[1].bytes, image.planes[2].bytes)
        let content = unsafe analyser?.content(of: y.span.bytes, cb.span.bytes, cr.span.bytes, wanted)
        guard let content else { throw FrameFault(.damaged) }
        return content
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
            region: config.readings.region, probes: config.probes.map(\.area),
            lights: config.probes.filter(\.isLight).map(\.area), average: config.readings.average,
            colorimetry: config.camera.colorimetry, sensor: config.camera.sensor, orientation: config.camera.orientation
        )
    }
}

extension CoverageTable {
    /// - Returns: Nil if there is no target, or no memory.
    convenience init?(_ targets: [ColorTarget]) {
        self.init(targetCount: targets.count) { low, high in
            let (within, mixed) = targets.contained(from: low, to: high)
            return Cell(within: within, mixed: mixed)
        }
    }
}
