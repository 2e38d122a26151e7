package import Configuration
import Documents
import FoundationEssentials
package import Handoff
import JPEG
package import Logging
import Metrology
import Pixels
import State
import V4L2

/// The thread that draws pictures, so that neither frames nor readings wait for them.
///
/// `PictureHub` knows which viewers are ready for a picture. If there are any, `PictureTap` copies the frame, and has
/// room for one. This thread takes it, and `PictureEncoder` encodes each view once, however many viewers there are. A
/// camera's own JPEG is checked and passed on unchanged, unless it has to be rotated or lacks tables. A snapshot is the
/// first picture of a frame that was captured after the request.
package struct PictureThread: Sendable {
    private let config: Latest<Settings>
    private let tap: PictureTap
    private let log: Logger

    package init(config: Latest<Settings>, tap: PictureTap, log: Logger) {
        self.config = config
        self.tap = tap
        self.log = log
    }

    /// Draws pictures until the task is cancelled.
    package func run() async {
        await BlockingThread.run(named: "pictures") {
            encodePictures()
        } onCancel: {
            tap.close()
        }
    }

    private func encodePictures() {
        do throws(JPEGError) {
            var encoder = try PictureEncoder(log: log)
            while let frame = tap.take() {
                encoder.encode(frame, config: config.value.effective, for: tap.hub)
                tap.recycle(frame)
            }
        } catch {
            // Readings matter most, and continue without pictures.
            log.error("There will be no pictures: \(error).")
            tap.hub.close()
        }
    }
}

/// The encoder of frames as JPEG pictures. It makes each view once, however many viewers watch it.
struct PictureEncoder: ~Copyable {
    private let log: RateLimitedLogger
    private let encoder: JPEGEncoder
    /// The renderer for the last frame's format; nil if such frames cannot be drawn.
    private var renderer: FrameRenderer?
    private var format: FrameFormat?
    private var camera = Config().camera
    /// The targets that ``WithinTargets`` shows, and the colours that lie within them; nil before it is first used.
    private var within: (targets: [ColorTarget], table: CoverageTable?)?

    /// - Throws: `JPEGError` if there is too little memory for libjpeg-turbo.
    init(log: Logger) throws(JPEGError) {
        self.init(encoder: try JPEGEncoder(), log: log)
    }

    /// Separate from the other initializer, because Swift 6.2 would destroy `log` twice if creating the encoder failed
    /// (docs/upstream/throwing-initializers.md).
    private init(encoder: consuming JPEGEncoder, log: Logger) {
        self.encoder = encoder
        self.log = RateLimitedLogger(log)
    }

    /// Encodes the views that the frame was kept for, and offers them to the viewers.
    mutating func encode(_ frame: FrameCopy, config: Config, for hub: PictureHub) {
        if frame.format != format || config.camera != camera {
            format = frame.format
            camera = config.camera
            renderer = FrameRenderer(
                frame.format, colorimetry: camera.colorimetry, sensor: camera.sensor,
                orientation: camera.orientation)
            if renderer == nil { report("frames of \(frame.format.summary) cannot be drawn") }
        }
        let age = MonotonicTime.now() - frame.timestamp
        let time = Date(timeIntervalSinceNow: -age)
        // Without an effect both views are the same picture.
        let effect = config.picture.effect == "none" ? nil : Effects.named(config.picture.effect)
        let groups: [(views: Set<Picture.View>, effect: (any Effect)?)] =
            effect == nil ? [(frame.views, nil)] : [(frame.views & .live, nil), (frame.views & .processed, effect)]
        for group in groups where !group.views.isEmpty {
            do throws(JPEGError) {
                guard let image = try draw(frame, group.effect, config) else { return }
                hub.count {
                    if frame.format.isJPEG && group.effect == nil { $0.passedOn += 1 } else { $0.encoded += 1 }
                }
                let picture = Picture(data: Data(image), time: time, timestamp: frame.timestamp)
                for view in group.views { hub.offer(picture, of: view, at: .now()) }
            } catch {
                // A damaged frame is not shown. The next one follows soon.
                report("\(error)")
            }
        }
    }

    private mutating func draw(
        _ frame: FrameCopy, _ effect: (any Effect)?, _ config: Config
    ) throws(JPEGError) -> [UInt8]? {
        let quality = config.picture.quality
        guard let effect else { return try renderer?.live(frame, quality: quality, encoder: encoder) }
        let table = effect is WithinTargets ? table(of: config.targets.map(\.colorTarget)) : nil
        return try renderer?.processed(frame, quality: quality, encoder: encoder) { bitmap in
            if let table { WithinTargets().apply(to: &bitmap, table) } else { effect.apply(to: &bitmap) }
        }
    }

    private mutating func table(of targets: [ColorTarget]) -> CoverageTable? {
        if let within, within.targets == targets { return within.table }
        let table = CoverageTable(targets)
        within = (targets, table)
        return table
    }

    private func report(_ problem: String) { log.log(.warning, "No picture: \(problem).") }
}

extension Set<Picture.View> {
    fileprivate static func & (set: Self, view: Picture.View) -> Self { set.intersection([view]) }
}
