import Foundation
import Testing

@testable import Swatchcam

@Suite("The memory of the camera that was chosen")
struct CameraMemoryTests {
    @Test("outlives a run, whatever the id looks like", arguments: ["usb-A-video-index0", "a \"b\" ü\n"])
    func keeps(id: String) throws {
        let folder = try TemporaryFolder()
        try CameraMemory(folder: folder.path + "/swatchcam").store(id)
        #expect(CameraMemory(folder: folder.path + "/swatchcam").camera == id)
    }

    @Test("is empty at first, and when the file is no memory", arguments: [nil, "", "{", "[]", "{\"camera\":7}"])
    func nothing(text: String?) throws {
        let folder = try TemporaryFolder()
        try text?.write(toFile: folder.path + "/state.json", atomically: false, encoding: .utf8)
        #expect(CameraMemory(folder: folder.path).camera == nil)
    }

    @Test("says so when it cannot keep anything")
    func refused() throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: folder.path + "/file", atomically: false, encoding: .utf8)
        #expect(throws: (any Error).self) { try CameraMemory(folder: folder.path + "/file/swatchcam").store("x") }
    }

    @Test(
        "is where the service's, the user's or the system's state belongs",
        arguments: [
            (["STATE_DIRECTORY": "/s/a:/s/b", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/s/a"),
            (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/swatchcam"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/swatchcam"),
            ([:], "/var/lib/swatchcam"),
        ])
    func place(environment: [String: String], folder: String) {
        #expect(CameraMemory(environment: environment).path == folder + "/state.json")
    }
}
