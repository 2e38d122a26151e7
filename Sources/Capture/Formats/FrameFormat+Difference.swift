package import Configuration
import Readings
import V4L2

extension FrameFormat {
    /// Describes how the format differs from the requested one, in a sentence; nil if it does not.
    package func difference(from wanted: Config.Camera) -> String? {
        var asked: [String] = []
        var given: [String] = []
        if width != wanted.width || height != wanted.height {
            asked.append("\(wanted.width)x\(wanted.height)")
            given.append("\(width)x\(height)")
        }
        if let rate = framesPerSecond, abs(rate - wanted.fps) > wanted.fps / 100 {
            asked.append("\(wanted.fps.shortestText) frames/s")
            given.append("\(rate.formatted(decimals: rate == rate.rounded() ? 0 : 2)) frames/s")
        }
        if wanted.format != "auto", fourCC != FourCC(wanted.format) {
            asked.append(wanted.format)
            given.append(fourCC.description)
        }
        guard !asked.isEmpty else { return nil }
        return "Requested \(asked.joined(separator: " and ")); the camera delivers \(given.joined(separator: " and "))."
    }
}
