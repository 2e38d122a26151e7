package import Foundation

/// The Python of `.venv`, whose packages compute what tests expect.
package enum Python {
    /// The interpreter. The path is not standardized, because that would follow the link to the system's own Python, which
    /// may lack the packages.
    package static let executable = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".venv/bin/python")

    /// Whether tests with Python run: if it is installed, or if `SWATCHCAM_REQUIRE_PYTHON` is set, as by `make unit`. In
    /// the latter case, they fail without it.
    package static let mayRun =
        ProcessInfo.processInfo.environment["SWATCHCAM_REQUIRE_PYTHON"] != nil
        || FileManager.default.isExecutableFile(atPath: executable.path)
}
