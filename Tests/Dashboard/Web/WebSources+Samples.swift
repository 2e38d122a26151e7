import Logging
import TestSupport
import V4L2

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

extension WebSources {
    /// Returns the sources of a program whose camera delivered one reading and whose threads do not reply.
    static func sample() throws -> WebSources {
        let config = Latest(Settings())
        return WebSources(
            config: config, readings: Latest(.sample), demand: Demand(timeout: .zero),
            directory: CameraDirectory(log: Logger(label: "test")),
            cameraRequests: try CameraRequests(), controlRequests: try ControlRequests(),
            pictures: PictureHub(),
            settings: SettingsMemory(config, log: Logger(label: "test")),
            samples: SampleStore(folder: nil, log: Logger(label: "test")))
    }
}
