import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The state file")
struct StateFileTests {
    @Test("the state file keeps any id from one run to the next", arguments: ["usb-A-video-index0", "a \"b\" ü\n"])
    func keeps(id: String) throws {
        let folder = try TemporaryFolder()
        try StateFile(StateFolder(folder.path + "/swatchcam")).store(id)
        #expect(try StateFile(StateFolder(folder.path + "/swatchcam")).read().camera == id)
    }

    @Test("a choice that is stored on another thread is on the disk when its caller is told")
    func besideTheCaller() async throws {
        let folder = try TemporaryFolder()
        let file = StateFile(StateFolder(folder.path))
        for id in ["usb-A", "usb-B"] {
            let stored = await withCheckedContinuation { continuation in
                file.store(id) { _ in continuation.resume(returning: try? file.read().camera) }
            }
            #expect(stored == id)
        }
    }

    @Test("a state file of 262,144 bytes is read, and a longer one is refused", arguments: [262_144, 262_145])
    func length(count: Int) throws {
        let (folder, content) = (try TemporaryFolder(), #"{"camera":"x"}"#)
        try folder.write(content + String(repeating: " ", count: count - content.utf8.count), to: "state.json")
        let file = StateFile(StateFolder(folder.path))
        if count == 262_144 {
            #expect(try file.read().camera == "x")
        } else {
            #expect(throws: StateFileError.self) { try file.read().camera }
        }
    }

    @Test("without a state file no camera is remembered")
    func nothing() throws {
        #expect(try StateFile(StateFolder(try TemporaryFolder().path)).read().camera == nil)
        #expect(try StateFile(StateFolder("/dev/null")).read().camera == nil)
    }

    /// An obstacle that a test puts in the place of the file.
    enum InvalidFile: CaseIterable {
        case pipe, folder, link, linkToMemory, linkToNothing, linkToPipe, device, huge, deep, deepValue, garbage, list
        case number, empty

        func make(in folder: TemporaryFolder) throws {
            switch self {
            case .pipe: try folder.makePipe("state.json")
            case .folder: try folder.makeFolder("state.json")
            case .link: try folder.link("state.json", to: "/etc/passwd")
            case .linkToMemory:
                try folder.write("{\"camera\":\"x\"}", to: "other.json")
                try folder.link("state.json", to: "other.json")
            case .linkToNothing: try folder.link("state.json", to: "nothing")
            case .linkToPipe:
                try folder.makePipe("pipe")
                try folder.link("state.json", to: "pipe")
            case .device: try folder.link("state.json", to: "/dev/zero")
            case .huge:
                try folder.write("", to: "state.json")
                // The file is sparse: it takes no space on the disk, but would take an hour to read.
                try FileHandle(forWritingTo: folder.url.appending(path: "state.json")).truncate(atOffset: 1 << 40)
            case .deep: try folder.write(String(repeating: "[", count: 4000), to: "state.json")
            case .deepValue:
                let depth = 2000
                let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                try folder.write("{\"camera\":\(value)}", to: "state.json")
            case .garbage: try folder.write([0xFF, 0x00, 0xFE], to: "state.json")
            case .list: try folder.write("[]", to: "state.json")
            case .number: try folder.write("{\"camera\":7}", to: "state.json")
            case .empty: try folder.write("", to: "state.json")
            }
        }
    }

    @Test(
        "anything else in the place of the state file is not used, and the message says why", .timeLimit(.minutes(20)),
        arguments: InvalidFile.allCases)
    func invalid(file: InvalidFile) throws {
        let folder = try TemporaryFolder()
        try file.make(in: folder)
        let memory = StateFile(StateFolder(folder.path))
        let error = #expect(throws: StateFileError.self) { _ = try memory.read().camera }
        #expect(error?.description.hasPrefix("\(memory.path) is not used, because ") == true)
    }

    @Test("an obstacle is replaced by a new state file", arguments: InvalidFile.allCases.filter { $0 != .folder })
    func replaced(file: InvalidFile) throws {
        let folder = try TemporaryFolder(["innocent": "text"])
        try file.make(in: folder)
        // An earlier run or another user may have left this.
        try folder.link("state.json.new", to: "innocent")
        try StateFile(StateFolder(folder.path)).store("usb-A")
        #expect(try StateFile(StateFolder(folder.path)).read().camera == "usb-A")
        #expect(try String(contentsOfFile: folder.path + "/innocent", encoding: .utf8) == "text")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/state.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state.json.new"))
    }

    @Test("no partly written file is left behind if the state file cannot be replaced")
    func folderInTheWay() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("state.json")
        #expect(throws: POSIXError.self) { try StateFile(StateFolder(folder.path)).store("usb-A") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
    }

    @Test("a state file that cannot be read is reported once at start-up, and no camera is remembered")
    func reportedOnce() throws {
        let folder = try TemporaryFolder()
        try folder.makePipe("state.json")
        let recorder = LogRecorder()
        var shared = try SharedState(log: recorder.log)
        shared.stateFile = StateFile(StateFolder(folder.path))
        let loop = CaptureLoop(shared)
        #expect(loop.rememberedID == nil)
        #expect(
            recorder.lines == [
                "\(folder.path)/state.json is not used, because it is not a regular file. "
                    + "No camera or setting is remembered until one is chosen again."
            ])
    }

    @Test("storing a camera fails with an error if the folder cannot be made")
    func refused() throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: folder.path + "/file", atomically: false, encoding: .utf8)
        #expect(throws: (any Error).self) { try StateFile(StateFolder(folder.path + "/file/swatchcam")).store("x") }
    }

    @Test("storing a camera fails with an error if the state file would be longer than 262,144 bytes")
    func overflow() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StateFileOverflow(path: folder.path + "/state.json", maxSize: 262_144)) {
            try StateFile(StateFolder(folder.path)).store(String(repeating: "x", count: 262_144))
        }
    }

    @Test("an id that makes the state file too long leaves the camera that was stored before")
    func overflowKeeps() throws {
        let folder = try TemporaryFolder()
        try StateFile(StateFolder(folder.path)).store("usb-A")
        try? StateFile(StateFolder(folder.path)).store(String(repeating: "x", count: 262_144))
        #expect(try StateFile(StateFolder(folder.path)).read().camera == "usb-A")
    }

    @Test("the error about a state file that would be too long names the file and the limit")
    func overflowSentence() {
        let error = StateFileOverflow(path: "/s/state.json", maxSize: 262_144)
        #expect("\(error)" == "/s/state.json would be longer than 262144 bytes")
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
        let folder = try TemporaryFolder()
        let first = StateFile(StateFolder(folder.path))
        try first.store("usb-A")
        let second = StateFile(StateFolder(folder.path))
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
        let folder = try TemporaryFolder()
        let (early, late) = (StateFolder(folder.path + "/swatchcam"), StateFolder(folder.path + "/swatchcam"))
        #expect(try !late.claim())
        try StateFile(early).store("usb-A")
        #expect(throws: StateFolder.InUse.self) { try StateFile(late).store("usb-B") }
        #expect(try StateFile(late).read().camera == "usb-A")
    }

    @Test("a program may write once the one before it has ended")
    func claimEnds() throws {
        let folder = try TemporaryFolder()
        for id in ["usb-A", "usb-B"] { try StateFile(StateFolder(folder.path)).store(id) }
        #expect(try StateFile(StateFolder(folder.path)).read().camera == "usb-B")
    }

    @Test("the samples and the state file share one claim")
    func oneClaim() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (StateFolder(folder.path), StateFolder(folder.path))
        #expect(SampleStore(folder: first, log: .silent).problem == nil)
        try StateFile(first).store("usb-A")
        #expect(throws: StateFolder.InUse.self) { try StateFile(second).store("usb-B") }
        #expect(SampleStore(folder: second, log: .silent).problem?.contains("is in use by another Swatchcam") == true)
    }
}
