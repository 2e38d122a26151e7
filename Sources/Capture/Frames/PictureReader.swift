import Configuration
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
        var orientation: Orientation

        init(_ config: Config) {
            region = config.readings.region
            average = config.readings.average
            colorimetry = config.camera.colorimetry
            orientation = config.camera.orientation
        }
    }

    /// - Returns: Nil if frames of this format cannot be read.
    init?(format: FrameFormat, _ parameters: Parameters) {
        // A device may grant a larger size than can be requested: an MJPG of 65535 x 65535 would be decoded into 12 GB.
        let sides = Config.Camera.sides
        guard sides.contains(format.width), sides.contains(format.height) else { return nil }
        let region = parameters.orientation.unoriented(
            parameters.region, width: format.width, height: format.height)
        if format.isJPEG {
            self = .jpeg(
                JPEGReader(
                    width: format.width, height: format.height, region: region, average: parameters.average,
                    colorimetry: parameters.colorimetry))
        } else {
            guard let layout = PictureLayout(format, colorimetry: parameters.colorimetry),
                let analyser = Analyser(layout: layout, region: region, average: parameters.average)
            else { return nil }
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
