import Glibc
import Logging
import Pixels
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff

@Suite("Configuration reload")
struct ConfigReloadTests {
    private let folder: TemporaryFolder
    private let path: String
    private let notices = Notices()
    private let recorder = LogRecorder()

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(Array("camera.fps = 10\nreadings.rate = 2\n".utf8))
    }

    private func start(_ overrides: ConfigOverrides = ConfigOverrides()) throws -> ConfigWatcher {
        let start = try Settings(explicit: path, options: overrides)
        return ConfigWatcher(Latest(start), candidates: [path], notices: notices, log: recorder.log)
    }

    private func edit(_ config: ConfigWatcher, _ text: String) throws {
        try folder.write(text, to: "config.toml")
        config.reload()
    }

    private func notice(_ topic: Notice.Topic) -> String? {
        notices.all.first { $0.topic == topic }?.message
    }

    @Test("an edit applies and names the changed keys, also if the file is read again")
    func applied() throws {
        let config = try start()
        for _ in 1...2 {
            try edit(config, "camera.fps = 20\nreadings.rate = 2\n")
            #expect(config.settings.value.effective.camera.fps == 20)
            #expect(notice(.configuration) == "Applied camera.fps.")
        }
    }

    @Test("an edit with a mistake changes nothing, is reported until the next good edit, and logged once")
    func refused() throws {
        let config = try start()
        let before = config.settings.value.effective
        try edit(config, "camera.fps = 20\nreadings.rate = 900\n")
        #expect(config.settings.value.effective == before)
        #expect(
            notice(.configuration) == """
                Nothing was changed; \(path) has a mistake:
                \(path):2:17: readings.rate: 900 is out of range 0.1...60
                """)
        config.reload()
        #expect(
            recorder.lines == [
                "\(path) has a mistake; nothing was changed:",
                "\(path):2:17: readings.rate: 900 is out of range 0.1...60",
            ])
        try edit(config, "camera.fps = 20\nreadings.rate = 9\n")
        #expect((config.settings.value.effective.camera.fps, config.settings.value.effective.readings.rate) == (20, 9))
        #expect(notice(.configuration) == "Applied camera.fps, readings.rate.")
    }

    @Test(
        "an error message never shows a token that is in the wrong place",
        arguments: ["token = %", "% = 1", "allowed_hosts = [%]", "token = \"\" %", "[web.%]"])
    func misplacedToken(line: String) throws {
        let secret = String(repeating: "s3cret-", count: 6)
        let config = try start()
        try edit(config, "[web]\n" + line.replacing("%", with: secret))
        let message = try #require(notice(.configuration))
        #expect(!message.contains("s3cret"))
        #expect(message.contains("(hidden)") || message.contains(":2:"))
    }

    @Test("an edit with many mistakes reports the first three and their number")
    func manyMistakes() throws {
        let config = try start()
        try edit(config, (1...9).map { "key\($0) = 1\n" }.joined())
        let lines = try #require(notice(.configuration)).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0].hasSuffix("has 9 mistakes:"))
        #expect(lines[1].contains(":1:1: key1: unknown key"))
        #expect(lines[4] == "and 6 more")
    }

    @Test("an edit that makes the file unreadable, too long or another kind of file changes nothing")
    func unreadable() throws {
        let config = try start()
        try folder.write([0xFF, 0x00])
        config.reload()
        #expect(notice(.configuration)?.contains("not UTF-8") == true)
        try folder.write(Array(repeating: UInt8(ascii: "#"), count: 1_048_577))
        config.reload()
        #expect(notice(.configuration)?.contains("larger than 1 MiB") == true)
        try folder.remove("config.toml")
        try folder.makeFolder("config.toml")
        config.reload()
        #expect(notice(.configuration)?.contains("this is a folder") == true)
        try folder.remove("config.toml")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        config.reload()
        #expect(notice(.configuration)?.contains("this is a pipe or a device") == true)
        #expect(config.settings.value.effective.camera.fps == 10)
    }

    @Test("an edit that undoes a mistake removes its notice and adds none")
    func takenBack() throws {
        let config = try start()
        let text = "camera.fps = 10\nreadings.rate = 2\n"
        try edit(config, "camera.fps = \n")
        #expect(notice(.configuration) != nil)
        try edit(config, text)
        #expect(notices.all.isEmpty)
        try edit(config, text + "# a remark\n")
        #expect(notices.all.isEmpty)
    }

    @Test("an edit that needs a restart is reported until it is undone")
    func restart() throws {
        let config = try start()
        try edit(config, "camera.fps = 10\nreadings.rate = 2\nweb.port = 9000")
        #expect(config.settings.value.effective.web.port == 8080)
        #expect(notice(.restart) == "web.port: restart Swatchcam to use 9000; it still uses 8080.")
        #expect(notice(.configuration) == nil)
        try edit(config, "camera.fps = oops")
        #expect(notice(.restart) != nil)
        try edit(config, "camera.fps = 10\nreadings.rate = 2\n")
        #expect(notice(.restart) == nil)
    }

    @Test("removing the file keeps the settings until there is a file again")
    func gone() throws {
        let config = try start()
        try folder.remove("config.toml")
        config.reload()
        #expect(config.settings.value.effective.camera.fps == 10)
        #expect(notice(.configuration) == "\(path) is gone. Its last settings stay in effect.")
        try edit(config, "camera.fps = 10\nreadings.rate = 2\n")
        #expect(notices.all.isEmpty)
        try folder.remove("config.toml")
        config.reload()
        try edit(config, "camera.fps = 30\nreadings.rate = 2\n")
        #expect(notice(.configuration) == "Applied camera.fps.")
    }

    @Test("a refused edit is applied once the folder that it names exists")
    func folderComes() throws {
        let config = try start()
        let text = "camera.fps = 20\nreadings.rate = 2\nweb.templates = \"Pages\""
        try edit(config, text)
        #expect(notice(.configuration)?.contains("there is no folder") == true)
        try folder.makeFolder("Pages")
        config.reload()
        #expect(notice(.configuration) == "Applied camera.fps.")
        #expect(notice(.restart)?.hasPrefix("web.templates: restart Swatchcam to use ") == true)
    }

    /// Starts with the files that are there of two that are searched for, `high.toml` and `low.toml`.
    private func search() throws -> ConfigWatcher {
        let none = try Settings(explicit: nil, options: ConfigOverrides(), candidates: [])
        try #require(none.path == nil)
        let config = ConfigWatcher(
            Latest(none), candidates: [folder.path + "/high.toml", folder.path + "/low.toml"], notices: notices,
            log: .silent)
        config.reload()
        return config
    }

    private func expect(_ config: ConfigWatcher, fps: Double, from name: String) {
        #expect(config.settings.value.effective.camera.fps == fps)
        #expect(config.settings.value.path == folder.path + "/" + name)
    }

    @Test("a new file is used if there was none")
    func newFile() throws {
        let config = try search()
        #expect(notices.all.isEmpty)
        try folder.write("camera.fps = 20", to: "low.toml")
        config.reload()
        expect(config, fps: 20, from: "low.toml")
    }

    @Test("a new file that comes first in the search is used instead of the other one, and also when it is gone")
    func newFirstFile() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try #require(config.settings.value.path == folder.path + "/low.toml")
        try folder.write("camera.fps = 30", to: "high.toml")
        config.reload()
        expect(config, fps: 30, from: "high.toml")
        try folder.remove("high.toml")
        config.reload()
        #expect(config.settings.value.effective.camera.fps == 30)
        #expect(notice(.configuration)?.contains("high.toml is gone") == true)
    }

    @Test("a new file with a mistake is not used, and its notice is withdrawn once it is gone")
    func newFaultyFile() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try folder.write("camera.fps = 200000", to: "high.toml")
        config.reload()
        #expect(notice(.configuration)?.contains("high.toml:1:14") == true)
        expect(config, fps: 20, from: "low.toml")
        try folder.remove("high.toml")
        config.reload()
        #expect(notices.all.isEmpty)
    }

    @Test("a new link that leads nowhere is reported, and the file in use stays in use")
    func newDanglingLink() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try folder.link("high.toml", to: "nothing.toml")
        config.reload()
        #expect(notice(.configuration)?.contains("high.toml: this link does not lead to a file") == true)
        expect(config, fps: 20, from: "low.toml")
    }
}
