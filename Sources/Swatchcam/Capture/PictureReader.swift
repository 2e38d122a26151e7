import Pixels
import V4L2

/// Adds up the colours of a source's frames, whatever their format.
enum PictureReader: ~Copyable {
    case raw(Analyser)
    case jpeg(JPEGReader)

    /// - Returns: Nil if frames of this format cannot be read.
    init?(format: FrameFormat, config: Config) {
        if JPEGReader.fourCCs.contains(format.fourCC.description) {
            guard let reader = JPEGReader(config: config) else { return nil }
            self = .jpeg(reader)
        } else {
            guard let layout = PictureLayout(format, colorimetry: config.camera.colorimetry),
                let analyser = Analyser(
                    layout: layout, region: config.readings.region, average: config.readings.average)
            else { return nil }
            self = .raw(analyser)
        }
    }

    /// What is assumed of the code values, for people; nil if there is nothing to assume.
    var assumption: String? {
        switch self {
        case .raw(let analyser): analyser.layout.assumption
        case .jpeg(let reader): reader.assumption
        }
    }

    /// - Returns: Nil if the frame is damaged.
    mutating func sums(of frame: borrowing Frame) -> PictureSums? {
        switch consume self {
        case .raw(let analyser):
            let sums = frame.withPlanes { analyser.sums(of: $0, $1, $2) }
            self = .raw(analyser)
            return sums
        case .jpeg(var reader):
            let sums = frame.withBytes(ofPlane: 0) { reader.sums(of: $0) }
            self = .jpeg(reader)
            return sums
        }
    }
}
