package import Configuration
import Documents
import Pixels
import Readings
import V4L2

/// The choice of one of a camera's formats.
enum FormatSelection: Equatable {
    case format(FourCC)
    /// No format is usable. The sentences list what the camera offers.
    case unsupported(String)

    /// The maximum number of formats that a sentence lists: a driver may offer hundreds.
    private static let maxListed = 12

    /// The formats that can be read, best first: uncompressed colour, then JPEG, which is lossy, then grey.
    static let codes =
        PixelFormat.all.filter { $0.model != .grey }.map(\.fourCC) + FrameFormat.jpegFourCCs
        + PixelFormat.all.filter { $0.model == .grey }.map(\.fourCC)

    /// Chooses the format that the config names. For `auto`, chooses the best one that comes in the wanted size at the
    /// wanted rate, or else the best one in any size.
    init(_ camera: Config.Camera, offered: [OfferedFormat]) {
        let list = offered.prefix(Self.maxListed).map(\.fourCC.description).joined(separator: ", ")
        let more = offered.count > Self.maxListed ? " and \(offered.count - Self.maxListed) more" : ""
        let offer = offered.isEmpty ? "The camera offers none." : "The camera offers: \(list)\(more)."
        let codes = Self.codes
        let readable = codes.compactMap { code in offered.first { $0.fourCC == FourCC(code) } }
        guard camera.format == "auto" else {
            if let named = readable.first(where: { $0.fourCC == FourCC(camera.format) }) {
                self = .format(named.fourCC)
            } else if !codes.contains(camera.format) {
                self = .unsupported(
                    "Swatchcam does not read the format \(camera.format); /usr/share/doc/swatchcam/formats.md lists those that it reads. "
                        + offer)
            } else {
                self = .unsupported("The camera does not offer the format \(camera.format). \(offer)")
            }
            return
        }
        let preferred = readable.filter { !$0.isAlternative }
        guard let best = preferred.first(where: { $0.matches(camera) }) ?? preferred.first ?? readable.first else {
            self = .unsupported(
                "Swatchcam reads none of this camera's formats. \(offer) /usr/share/doc/swatchcam/formats.md lists those that it reads."
            )
            return
        }
        self = .format(best.fourCC)
    }
}

extension OfferedFormat {
    /// Whether the format comes in the configured size at the configured rate. Where the driver lists no rates, only
    /// the size counts. The same holds for a range of sizes, because each size may have other rates. The steps of a
    /// range do not count: the driver adjusts a size between two steps to one of them.
    fileprivate func matches(_ camera: Config.Camera) -> Bool {
        switch sizes {
        case .discrete(let sizes):
            sizes.contains { size in
                size.width == camera.width && size.height == camera.height
                    && (size.rates.isEmpty || size.rates.contains { $0 > camera.fps - 0.01 })
            }
        case .stepwise(let width, _, let height, _):
            width.contains(camera.width) && height.contains(camera.height)
        }
    }
}

extension FrameFormat {
    /// V4L2's codes for JPEG images. MJPG is a sequence of them.
    static let jpegFourCCs = ["MJPG", "JPEG"]

    var isJPEG: Bool { Self.jpegFourCCs.contains(fourCC.description) }
}

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
