import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The state file")
struct StateFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The state file as another start of the program sees it.
    private var file: StateFile { StateFile(StateFolder(folder.path)) }

    @Test("the state file keeps any id from one run to the next", arguments: ["usb-A-video-index0", "a \"b\" ü\n"])
    func keeps(id: String) throws {
        #expect(try file.read().camera == nil)
        #expect(try StateFile(StateFolder("/dev/null")).read().camera == nil)
        for id in ["earlier", id] { try file.store(id) }
        #expect(try file.read().camera == id)
    }

    @Test("a choice that is stored on another thread is on the disk when its caller is told")
    func besideTheCaller() async throws {
        let file = file
        for id in ["usb-A", "usb-B"] {
            let stored = await withCheckedContinuation { continuation in
                file.store(id) { _ in continuation.resume(returning: try? file.read().camera) }
            }
            #expect(stored == id)
        }
    }

    @Test("a state file of 262,144 bytes is read, and a longer one is neither read nor stored")
    func length() throws {
        let content = #"{"camera":"x"}"#
        try folder.write(content + String(repeating: " ", count: 262_144 - content.utf8.count), to: "state.json")
        #expect(try file.read().camera == "x")
        let error = #expect(throws: StateFileOverflow.self) { try file.store(String(repeating: "x", count: 262_144)) }
        #expect(error?.description == "\(folder.path)/state.json would be longer than 262144 bytes")
        #expect(try file.read().camera == "x")
        try folder.write(content + String(repeating: " ", count: 262_145 - content.utf8.count), to: "state.json")
        #expect(throws: StateFileError.self) { try file.read().camera }
    }

    /// What is in the place of the file; nil for something that is not a file.
    private static let obstacles: [String?] = [
        nil, String(repeating: "[", count: 4000), "\u{FF}\u{0}", "[]", "{\"camera\":7}", "",
        "{\"camera\":" + String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000) + "}",
    ]

    private func put(_ content: String?) throws {
        if let content { try folder.write(content, to: "state.json") } else { try folder.makePipe("state.json") }
    }

    @Test("anything else in the place of the state file is not used, and the message says why", arguments: obstacles)
    func invalid(content: String?) throws {
        try put(content)
        let error = #expect(throws: StateFileError.self) { _ = try file.read().camera }
        #expect(error?.description.hasPrefix("\(file.path) is not used, because ") == true)
    }

    @Test("an obstacle is replaced by a new state file", arguments: obstacles)
    func replaced(content: String?) throws {
        try folder.write("text", to: "innocent")
        try put(content)
        // An earlier run or another user may have left this.
        try folder.link("state.json.new", to: "innocent")
        try file.store("usb-A")
        #expect(try file.read().camera == "usb-A")
        #expect(try String(contentsOfFile: folder.path + "/innocent", encoding: .utf8) == "text")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/state.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state.json.new"))
    }

    @Test("if the state file cannot be replaced, that is an error, and no partly written file is left behind")
    func folderInTheWay() throws {
        try folder.makeFolder("state.json")
        #expect(throws: POSIXError.self) { try file.store("usb-A") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
        try folder.write("", to: "file")
        #expect(throws: (any Error).self) { try StateFile(StateFolder(folder.path + "/file/swatchcam")).store("x") }
    }

    @Test("a state file that cannot be read is reported once at start-up, and no camera is remembered")
    func reportedOnce() throws {
        try folder.makePipe("state.json")
        let recorder = LogRecorder()
        var shared = try SharedState(log: recorder.log)
        shared.stateFile = file
        let loop = CaptureLoop(shared)
        #expect(loop.rememberedID == nil)
        #expect(
            recorder.lines == [
                "\(folder.path)/state.json is not used, because it is not a regular file. "
                    + "No camera or setting is remembered until one is chosen again."
            ])
    }

    @Test(
        "the state file is in the folder for the state of the service, the user or the system",
        arguments: [
            (["STATE_DIRECTORY": "/s/a:/s/b", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/s/a"),
            (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/swatchcam"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/swatchcam"),
            ([:], "/var/lib/swatchcam"),
        ])
    func place(environment: [String: String], folder: String) {
        #expect(StateFile(StateFolder(environment: environment)).path == folder + "/state.json")
    }

    @Test("a second program reads the state file of the first, and leaves it as it is")
    func secondProgram() throws {
        let (first, second) = (file, file)
        try first.store("usb-A")
        #expect(try second.read().camera == "usb-A")
        let error = #expect(throws: StateFolder.InUse.self) { try second.store("usb-B") }
        #expect(
            error?.description
                == "\(folder.path) is in use by another Swatchcam. Give this one a folder of its own with XDG_STATE_HOME."
        )
        #expect(try first.read().camera == "usb-A")
    }

    @Test("a program that found no folder leaves the state file that another has stored there since")
    func lateProgram() throws {
        let (early, late) = (StateFolder(folder.path + "/swatchcam"), StateFolder(folder.path + "/swatchcam"))
        #expect(try !late.claim())
        try StateFile(early).store("usb-A")
        #expect(throws: StateFolder.InUse.self) { try StateFile(late).store("usb-B") }
        #expect(try StateFile(late).read().camera == "usb-A")
    }

    @Test("the samples and the state file share one claim")
    func oneClaim() async throws {
        let (first, second) = (StateFolder(folder.path), StateFolder(folder.path))
        #expect(SampleStore(folder: first, log: .silent).problem == nil)
        try StateFile(first).store("usb-A")
        #expect(throws: StateFolder.InUse.self) { try StateFile(second).store("usb-B") }
        #expect(SampleStore(folder: second, log: .silent).problem?.contains("is in use by another Swatchcam") == true)
    }
}
