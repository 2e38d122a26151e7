import Foundation
import JPEG
import Logging
import V4L2

/// Draws pictures on a thread of its own: neither frames nor readings wait for them.
struct PictureThread: Sendable {
    private let config: Config
    private let settings: Latest<Settings>
    private let tap: PictureTap
    private let log: Logger

    init(config: Config, settings: Latest<Settings>, tap: PictureTap, log: Logger) {
        self.config = config
        self.settings = settings
        self.tap = tap
        self.log = log
    }

    /// Draws until the task is cancelled.
    func run() async {
        let (config, settings, tap, log) = (config, settings, tap, log)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    Self.paint(config: config, settings: settings, tap: tap, log: log)
                    continuation.resume()
                }
                thread.name = "pictures"
                thread.start()
            }
        } onCancel: {
            tap.slot.close()
        }
    }

    private static func paint(config: Config, settings: Latest<Settings>, tap: PictureTap, log: Logger) {
        do throws(JPEGError) {
            var painter = try Painter(config: config, log: log)
            while let frame = tap.slot.take() {
                painter.paint(frame, settings: settings.value, for: tap.hub)
                tap.slot.recycle(frame)
            }
        } catch {
            // The readings are what counts: they go on.
            log.error("There will be no pictures: \(error).")
            tap.hub.close()
        }
    }
}
