import Foundation
import Glibc
import TestSupport
import Testing
import Untrusted
import V4L2

@testable import Capture
@testable import Readings

/// The paths that a client or a configuration may name in place of a camera.
@Suite("A path that does not lead to a camera")
struct DeviceOpeningTests {
    private static let names = [
        "/etc/passwd", "/dev/null", "/dev/ptmx", "/", "/dev", "/dev/video-none", "/etc/passwd/video0",
        "FOLDER/file", "FOLDER/pipe", "FOLDER/folder", "FOLDER/missing", "FOLDER/to-file", "FOLDER/to-pipe",
        "FOLDER/to-null", "FOLDER/to-nothing", "FOLDER/to-itself",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["file": "text"])
        try folder.makeFolder("folder")
        try folder.makePipe("pipe")
        try folder.link("to-file", to: "file")
        try folder.link("to-pipe", to: "pipe")
        try folder.link("to-null", to: "/dev/null")
        try folder.link("to-nothing", to: "nothing")
        try folder.link("to-itself", to: "to-itself")
    }

    private func path(_ name: String) -> String { name.replacing("FOLDER", with: folder.path) }

    @Test(
        "a path that is not a camera's is refused with the same words, whether it exists or not",
        arguments: names + ["/dev/null\0video0"])
    func refused(name: String) {
        let path = path(name)
        #expect(throws: V4L2Error.notACamera(path: path)) { _ = try Device(opening: path) }
        guard case .noMatch(let mismatch) = SourceSelection(device: path, among: []) else {
            Issue.record("a camera was chosen")
            return
        }
        #expect(mismatch.sentenceForClient == "There is no such camera. /api/cameras lists the cameras.")
        #expect(
            mismatch.sentenceForConfiguration
                == "There is no camera at \(path.sanitized()). Plug it in, or correct camera.device; "
                + "'swatchcam cameras' lists the cameras. No other camera is connected.")
    }

    @Test("a path that contains a NUL is not read to there")
    func cut() { #expect(!DeviceNode.isVideo4Linux(at: "/dev/null\0video0")) }

    @Test(
        "a path that does not lead to a camera is not opened",
        arguments: ["file", "pipe", "folder", "to-file", "to-pipe"])
    func untouched(name: String) throws {
        let opens = try OpenDetector(of: folder.path + "/" + name)
        _ = try? Device(opening: folder.path + "/" + name)
        #expect(!opens.wasOpened)
        // The counter does detect an opening.
        _ = close(unsafe open(folder.path + "/" + name, O_RDONLY | O_NONBLOCK))
        #expect(opens.wasOpened)
    }

    @Test("a path without a camera has the state of an unplugged camera", arguments: [nil, "Lost at 12:00: "])
    func state(loss: String?) {
        let unavailable = ReadingPublisher.Unavailable(.notACamera(path: "/dev/video0"), loss: loss)
        #expect(unavailable.state == (loss == nil ? .noCamera : .lost))
    }
}

/// A detector of openings of a file, by inotify(7): the kernel reports an opening before open(2) returns.
private final class OpenDetector {
    private let descriptor: Int32

    init(of path: String) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        try #require(descriptor >= 0)
        let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN))
        try #require(watch >= 0)
    }

    deinit { _ = close(descriptor) }

    /// Whether the file was opened since the last call.
    var wasOpened: Bool {
        var events = [UInt8](repeating: 0, count: 4096)
        return unsafe read(descriptor, &events, events.count) > 0
    }
}
