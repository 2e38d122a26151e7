import Foundation
import TestSupport

@testable import Swatchcam

/// A console that keeps what is written to it.
struct RecordedConsole {
    let console: Console
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["output": "", "errors": ""])
        console = Console(
            output: try FileHandle(forWritingTo: folder.url.appending(path: "output")),
            errors: try FileHandle(forWritingTo: folder.url.appending(path: "errors")))
    }

    /// The data.
    var output: String { text(of: "output") }
    /// The messages.
    var errors: String { text(of: "errors") }

    private func text(of name: String) -> String {
        (try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)) ?? "unreadable"
    }
}
