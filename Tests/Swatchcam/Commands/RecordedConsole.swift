import Foundation
import TestSupport

@testable import Swatchcam

/// A console that keeps what is written to it.
final class RecordedConsole {
    let console: Console
    private let folder: TemporaryFolder
    private let outputFile: FileHandle
    private let errorFile: FileHandle

    init() throws {
        folder = try TemporaryFolder(["output": "", "errors": ""])
        outputFile = try FileHandle(forWritingTo: folder.url.appending(path: "output"))
        errorFile = try FileHandle(forWritingTo: folder.url.appending(path: "errors"))
        console = Console(output: outputFile.fileDescriptor, errors: errorFile.fileDescriptor)
    }

    /// The data.
    var output: String { text(of: "output") }
    /// The messages.
    var errors: String { text(of: "errors") }

    private func text(of name: String) -> String {
        (try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)) ?? "unreadable"
    }
}
