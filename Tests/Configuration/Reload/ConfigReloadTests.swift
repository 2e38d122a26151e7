import Glibc
import Logging
import Pixels
import TestSupport
import Testing

@testable import Configuration
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

    @Test("an edit applies the changed keys and names them")
    func applied() throws {
        let config = try start()
        try edit(config, "camera.fps = 20\nreadings.rate = 2\npicture.quality = 50\n")
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(config.settings.value.effective.picture.quality == 50)
        #expect(notice(.configuration) == "Applied camera.fps, picture.quality.")
    }

    @Test("reading an unchanged file again keeps the notice about its last edit")
    func unchanged() throws {
        let config = try start()
        try edit(config, "camera.fps = 20\nreadings.rate = 2\n")
        config.reload()
        #expect(notice(.configuration) == "Applied camera.fps.")
    }

    @Test("an edit that removes a key restores its default")
    func leftOut() throws {
        let config = try start()
        try edit(config, "camera.fps = 10")
        #expect(config.settings.value.effective.readings.rate == Config().readings.rate)
        #expect(notice(.configuration) == "Applied readings.rate.")
    }

    @Test("an edit with a mistake changes nothing and is reported until the next good edit")
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
        try edit(config, "camera.fps = 20\nreadings.rate = 9\n")
        #expect((config.settings.value.effective.camera.fps, config.settings.value.effective.readings.rate) == (20, 9))
        #expect(notice(.configuration) == "Applied camera.fps, readings.rate.")
    }

    @Test("a mistake is logged once, even if the file is read again")
    func loggedOnce() throws {
        let config = try start()
        try edit(config, "readings.rate = 900\n")
        config.reload()
        #expect(
            recorder.lines == [
                "\(path) has a mistake; nothing was changed:",
                "\(path):1:17: readings.rate: 900 is out of range 0.1...60",
            ])
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

    @Test("changed tokens take effect immediately, and the notice does not contain them")
    func tokens() throws {
        let (old, new) = (String(repeating: "o", count: 32), String(repeating: "n", count: 32))
        let config = try start()
        try edit(config, "web.token = \"\(old)\"")
        #expect(config.settings.value.effective.web.token == Token(old))
        try edit(config, "web.token = \"\(new)\"")
        #expect(config.settings.value.effective.web.token == Token(new))
        #expect(notice(.configuration) == "Applied web.token.")
        #expect(notice(.restart) == nil)
    }

    @Test("removing the token takes effect only after a restart, because it would admit everybody")
    func noToken() throws {
        let token = String(repeating: "o", count: 32)
        let config = try start()
        try edit(config, "web.token = \"\(token)\"")
        try edit(config, "camera.fps = 20")
        #expect(config.settings.value.effective.web.token == Token(token))
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(notice(.restart) == "web.token: restart Swatchcam to use the new value.")
        try edit(config, "camera.fps = 21")
        #expect(notice(.restart) == "web.token: restart Swatchcam to use the new value.")
        try edit(config, "web.token = \"\(token)\"")
        #expect(notice(.restart) == nil)
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

    @Test("an edit keeps settings changed on the page, unless it changes the same key")
    func page() throws {
        let config = try start()
        config.settings.update { settings in
            settings.change(at: "") {
                ($0.picture.effect, $0.readings.region) = ("edges", Region(x: 0, y: 0, width: 0.5, height: 1))
            }
        }
        try edit(config, "camera.fps = 20")
        #expect(config.settings.value.effective.picture.effect == "edges")
        #expect(config.settings.value.effective.readings.region.width == 0.5)
        try edit(config, "camera.fps = 20\npicture.effect = \"invert\"")
        #expect(config.settings.value.effective.picture.effect == "invert")
        #expect(config.settings.value.effective.readings.region.width == 0.5)
    }

    @Test("an edit that needs a restart is reported until it is undone")
    func restart() throws {
        let config = try start()
        try edit(config, "camera.fps = 10\nreadings.rate = 2\nweb.port = 9000")
        #expect(config.settings.value.effective.web.port == 8080)
        #expect(notice(.restart) == "web.port: restart Swatchcam to use 9000; it still uses 8080.")
        #expect(notice(.configuration) == nil)
        try edit(config, "camera.fps = 20\nreadings.rate = 2\nweb.port = 9000\nweb.address = \"::1\"")
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(
            notice(.restart)
                == "web.address: restart Swatchcam to use \"::1\"; it still uses \"127.0.0.1\". "
                + "web.port: restart Swatchcam to use 9000; it still uses 8080.")
        try edit(config, "camera.fps = oops")
        #expect(notice(.restart) != nil)
        try edit(config, "camera.fps = 20\nreadings.rate = 2\n")
        #expect(notice(.restart) == nil)
    }

    @Test("an edit does not override the command line")
    func overridden() throws {
        let config = try start(ConfigOverrides(device: "test-pattern", port: "0"))
        try edit(config, "camera.fps = 11\nreadings.rate = 2\ncamera.device = \"/dev/video7\"\nweb.port = 9000\n")
        #expect(config.settings.value.effective.camera.device == "test-pattern")
        #expect(config.settings.value.effective.camera.fps == 11)
        #expect(
            notice(.configuration)
                == "Applied camera.fps. camera.device keeps the value of --device. web.port keeps the value of --port.")
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

    @Test("a new file is used if there was none")
    func newFile() throws {
        let config = try search()
        #expect(notices.all.isEmpty)
        try folder.write("camera.fps = 20", to: "low.toml")
        config.reload()
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(config.settings.value.path == folder.path + "/low.toml")
    }

    @Test("a new file that comes first in the search is used instead of the other one")
    func newFirstFile() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try #require(config.settings.value.path == folder.path + "/low.toml")
        try folder.write("camera.fps = 30", to: "high.toml")
        config.reload()
        #expect(config.settings.value.effective.camera.fps == 30)
        #expect(config.settings.value.path == folder.path + "/high.toml")
    }

    @Test("a new file with a mistake is not used, and its notice is withdrawn once it is gone")
    func newFaultyFile() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try folder.write("camera.fps = 200000", to: "high.toml")
        config.reload()
        #expect(notice(.configuration)?.contains("high.toml:1:14") == true)
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(config.settings.value.path == folder.path + "/low.toml")
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
        #expect(config.settings.value.effective.camera.fps == 20)
        #expect(config.settings.value.path == folder.path + "/low.toml")
    }

    @Test("a file of lower priority does not replace one that is gone")
    func lowerPriority() throws {
        try folder.write("camera.fps = 20", to: "low.toml")
        let config = try search()
        try folder.write("camera.fps = 30", to: "high.toml")
        config.reload()
        try folder.remove("high.toml")
        config.reload()
        #expect(config.settings.value.effective.camera.fps == 30)
        #expect(notice(.configuration)?.contains("high.toml is gone") == true)
    }
}
