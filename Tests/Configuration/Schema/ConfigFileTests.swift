import Files
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Untrusted

@Suite("Configuration file")
struct ConfigFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the config of a file, as at the start of the program.
    private func load(_ path: String) throws(ConfigError) -> Config {
        try Settings(explicit: path, options: ConfigOverrides()).file
    }

    /// Returns the messages for a file with these bytes, without its path.
    private func problems(_ bytes: some Sequence<UInt8>) throws -> [String] {
        let path = try folder.write(bytes)
        do {
            _ = try load(path)
            return []
        } catch {
            return error.problems.map { $0.description.replacing(folder.path + "/", with: "") }
        }
    }

    @Test("an empty file means the defaults")
    func empty() throws {
        #expect(try load(folder.write([])) == Config())
    }

    @Test("a byte order mark is skipped; other bytes that are not UTF-8 are refused with the place where they begin")
    func encoding() throws {
        #expect(
            try problems([0xEF, 0xBB, 0xBF] + Array("fps = 1".utf8)) == [
                "config.toml:1:1: fps: unknown key. Did you mean camera.fps?"
            ])
        #expect(
            try problems(Array("[camera]\n# é ".utf8) + [0xE9, 0x0A]) == [
                "config.toml:2:5: the text is not UTF-8 from here on; save the file as UTF-8"
            ])
    }

    @Test("a text with a long row of combining marks, which takes a minute to compare, is refused")
    func marks() throws {
        let key = "x" + String(repeating: "\u{301}\u{316}", count: 50_000)
        #expect(
            try problems(Array("\"\(key)\" = 1\n".utf8)) == [
                "config.toml: the text has more than 30 combining marks in a row"
            ])
    }

    @Test("a file of 1 MiB is read, and a larger one is refused")
    func sizeLimit() throws {
        let full = [UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20)
        #expect(try problems(full) == [])
        #expect(
            try problems(full + [0x23]) == [
                "config.toml: the file is larger than 1 MiB, which is too large for a configuration"
            ])
    }

    @Test("an endless file is refused", .timeLimit(.minutes(20)))
    func endless() {
        #expect(throws: ConfigError.self) { try load("/dev/zero") }
    }

    @Test("reading a pipe without a writer times out", .timeLimit(.minutes(20)))
    func pipeWithoutWriter() throws {
        try folder.makePipe("pipe")
        let error = #expect(throws: POSIXError.self) {
            _ = try FileDescriptor(opening: folder.path + "/pipe").read(upTo: 100, timeout: 0)
        }
        #expect(error?.code == .ETIMEDOUT)
    }

    @Test("a pipe that is written byte by byte is read to its end")
    func slowPipe() throws {
        try folder.makePipe("pipe")
        let path = folder.path + "/pipe"
        // On a thread of its own, because a waiting task would keep others from running.
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)
            for byte in "camera.fps = 10".utf8 { try? writer?.write(contentsOf: [byte]) }
            try? writer?.close()
        }
        #expect(try FileDescriptor(opening: path).read(upTo: 100, timeout: 60) == Array("camera.fps = 10".utf8))
    }

    @Test("a file is readable by all if its permissions say so, even if a link leads to it", arguments: [0o600, 0o644])
    func readableByAll(permissions: Int) throws {
        let path = try folder.write("".utf8)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        try folder.link("link.toml", to: path)
        #expect(ConfigFile.isReadableByAll(path) == (permissions == 0o644))
        #expect(ConfigFile.isReadableByAll(folder.path + "/link.toml") == (permissions == 0o644))
    }

    @Test("a folder, a missing file and one that this user may not read are refused")
    func unusable() throws {
        let unreadable = try folder.write([])
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: unreadable)
        var problems = [
            folder.path: "this is a folder; expected the path of a file",
            folder.path + "/nothing.toml": "there is no such file",
            folder.path + "/nothing/at/all.toml": "there is no such file",
        ]
        // Root may read everything.
        if geteuid() != 0 { problems[unreadable] = "this user may not read the file; check its permissions" }
        for (path, message) in problems {
            #expect(throws: ConfigError(.init(file: path, message: message))) { try load(path) }
        }
    }

    // MARK: The search

    /// Returns the path of the file that is found, or the description of the error.
    private func found(explicit: String? = nil, _ environment: [String: String]? = nil) -> String? {
        let root = folder.path
        let candidates = ConfigFile.candidates(
            environment: environment ?? ["XDG_CONFIG_HOME": root + "/xdg", "HOME": root + "/home"],
            currentDirectory: root + "/here", systemDirectory: root + "/etc")
        let found = Result { () throws(ConfigError) in
            try Settings(explicit: explicit, options: ConfigOverrides(), candidates: candidates).path
        }
        return switch found {
        case .success(let path): path?.replacing(root + "/", with: "")
        case .failure(let error): error.description.replacing(root + "/", with: "")
        }
    }

    private static let places = [
        "here/config.toml", "xdg/swatchcam/config.toml", "etc/swatchcam/config.toml",
    ]

    @Test("the configuration file in the first place that has one is used", arguments: 0..<3)
    func firstPlace(_ first: Int) throws {
        #expect(found() == nil)
        for place in Self.places[first...] { try folder.write([], to: place) }
        #expect(found() == Self.places[first])
    }

    @Test("no other file is used in place of one that the command line names and that is missing")
    func explicitPath() throws {
        for place in Self.places { try folder.write([], to: place) }
        #expect(found(explicit: "mine.toml") == "mine.toml: there is no such file")
    }

    @Test("without a usable XDG_CONFIG_HOME, ~/.config is searched", arguments: [nil, "", "relative"])
    func withoutXDG(_ xdg: String?) throws {
        try folder.write([], to: "home/.config/swatchcam/config.toml")
        var environment = ["HOME": folder.path + "/home"]
        environment["XDG_CONFIG_HOME"] = xdg
        #expect(found(environment) == "home/.config/swatchcam/config.toml")
    }

    @Test("a dangling link is not skipped in the search")
    func danglingLink() throws {
        for place in Self.places.dropFirst() { try folder.write([], to: place) }
        try folder.makeFolder("here")
        try folder.link("here/config.toml", to: "gone")
        #expect(found() == "here/config.toml: there is no such file")
    }
}
