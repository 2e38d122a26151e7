package import Configuration
import FoundationEssentials
package import Handoff
import JPEG
package import Logging

/// The thread that draws pictures, so that neither frames nor readings wait for them.
package struct PictureThread: Sendable {
    private let config: Latest<Settings>
    private let tap: PictureTap
    private let log: Logger

    /// Prepares the thread, which ``run()`` starts.
    package init(config: Latest<Settings>, tap: PictureTap, log: Logger) {
        self.config = config
        self.tap = tap
        self.log = log
    }

    /// Draws pictures until the task is cancelled.
    package func run() async {
        let (config, tap, log) = (config, tap, log)
        await BlockingThread.run(named: "pictures") {
            Self.encodePictures(config: config, tap: tap, log: log)
        } onCancel: {
            tap.slot.close()
        }
    }

    private static func encodePictures(config: Latest<Settings>, tap: PictureTap, log: Logger) {
        do throws(JPEGError) {
            var encoder = try PictureEncoder(log: log)
            while let frame = tap.slot.take() {
                encoder.encode(frame, config: config.value.effective, for: tap.hub)
                tap.slot.recycle(frame)
            }
        } catch {
            // Readings matter most, and continue without pictures.
            log.error("There will be no pictures: \(error).")
            tap.hub.close()
        }
    }
}
