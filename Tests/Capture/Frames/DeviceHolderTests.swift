import Foundation
import TestSupport
import Testing

@testable import Untrusted
@testable import V4L2

@Suite("A program that holds a camera")
struct DeviceHolderTests {
    @Test(
        "the program that holds a camera is named in plain text, whatever it calls itself",
        arguments: [
            (Array("motion\n".utf8), "motion"),
            (Array("\u{1B}[2J\r\nforged\n".utf8), "\u{FFFD}[2J\u{FFFD}\u{FFFD}forged"),
            (Array("<b>\u{202E}cba\n".utf8), "<b>\u{FFFD}cba"),
            ([0xFF, 0xFE, 0x61, 0xC3, 0x0A], "\u{FFFD}\u{FFFD}a\u{FFFD}"),
            ([0x0A], "a program"),
            ([], "a program"),
        ])
    func name(comm: [UInt8], name: String) {
        #expect(DeviceHolder(pid: 7, comm: comm) == DeviceHolder(pid: 7, name: name))
    }

    @Test("the program that holds a camera is found even if its name is not valid UTF-8")
    func found() throws {
        let folder = try TemporaryFolder(["device": ""])
        // The kernel cuts the name off after 15 bytes, within the last letter.
        let program = folder.path + "/\u{1B}[2J\nforged log→"
        // A link, since a copy could not be executed while a child of another test still has it open for writing.
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/sleep")
        let holder = try FileHolder(program, input: folder.path + "/device")
        let found = DeviceHolder.all(of: folder.path + "/device")
        #expect(found.map(\.pid) == [holder.pid])
        let name = try #require(found.first?.name)
        #expect(name.hasPrefix("\u{FFFD}[2J\u{FFFD}forged"))
        let sentence = V4L2Error.busy(path: "/dev/video0", holders: found).description
        let unsafe = sentence.unicodeScalars.filter { !$0.isPlain }
        #expect(unsafe.isEmpty)
    }

    @Test("at most eight programs that hold a camera are listed, in the order of their process ids")
    func most() throws {
        let folder = try TemporaryFolder(["device": ""])
        let holders = try (1...9).map { _ in try FileHolder("/bin/sleep", input: folder.path + "/device") }
        let numbers = holders.map(\.pid).sorted()
        #expect(DeviceHolder.all(of: folder.path + "/device").map(\.pid) == Array(numbers.prefix(8)))
    }
}

@Suite("A name that udev made from a serial number")
struct StableNameTextTests {
    @Test("a name that udev made from a serial number is plain text, whatever the device reports")
    func links() throws {
        let folder = try TemporaryFolder(["video0": ""])
        try folder.link("usb-\u{202E}\u{1B}[2J-video-index0", to: "video0")
        let names = StableNames.links(in: folder.path)[folder.path + "/video0"]
        #expect(names?.contains("usb-\u{FFFD}\u{FFFD}[2J-video-index0") == true)
    }
}

/// A program that keeps a file open as its standard input for as long as the value exists.
private final class FileHolder {
    let pid: pid_t

    init(_ program: String, input: String) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        let (name, time) = unsafe (strdup("sleep"), strdup("1000"))
        defer {
            unsafe free(name)
            unsafe free(time)
        }
        var pid = pid_t()
        let result = unsafe posix_spawn(&pid, program, &actions, nil, [name, time, nil], environ)
        guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .EIO) }
        self.pid = pid
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(pid, &status, 0)
    }
}
