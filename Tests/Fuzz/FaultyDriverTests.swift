import CV4L2
import FakeDriver
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import V4L2

/// Tests of faults that no driver at hand has, but any driver may have.
@Suite("Faulty video drivers")
struct FaultyDriverTests {
    @Test("a device name from a driver cannot break a line or control a terminal")
    func name() throws {
        var capability = v4l2_capability()
        capability.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        let name = Array("A\u{1B}[2JB\nC\u{202E}D".utf8) + [0xFF]
        unsafe withUnsafeMutableBytes(of: &capability.card) { unsafe $0.copyBytes(from: name) }
        let bytes = DriverAnswers.whole(capability)
        let card = try unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe fake_driver_begin(bytes.baseAddress, bytes.count)
            defer { fake_driver_end() }
            return try V4L2Target.fakeDevice().capability.card
        }
        #expect(card == "A\u{FFFD}[2JB\u{FFFD}C\u{FFFD}D\u{FFFD}")
    }

    @Test(
        "any text of a string control is written so that it can be read again",
        arguments: ["a\"b", "\u{1B}[2J", "a\nb\\", String(repeating: "long ", count: 50), "\u{202E}", "亮"])
    func text(text: String) throws {
        let value = Control.Value.text(text)
        #expect(!value.description.contains("\n") && !value.description.contains("\u{1B}"))
        let config = try ConfigFile.config(in: "[camera.controls]\nname = \(value)\n", path: "config.toml")
        #expect(config.camera.controls == ["name": .string(text)])
    }
}
