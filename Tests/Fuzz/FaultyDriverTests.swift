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
    /// Lends a camera whose driver answers with these bytes after its capabilities.
    private func withDevice<Result>(
        _ answers: [UInt8], name: [UInt8] = Array("Cam".utf8), _ body: (borrowing Device) throws -> Result
    ) throws -> Result {
        var capability = v4l2_capability()
        capability.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        unsafe withUnsafeMutableBytes(of: &capability.card) { unsafe $0.copyBytes(from: name) }
        let bytes = DriverAnswers.whole(capability) + answers
        return try unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe fake_driver_begin(bytes.baseAddress, bytes.count)
            defer { fake_driver_end() }
            return try body(try V4L2Target.fakeDevice())
        }
    }

    @Test("a device name from a driver cannot break a line or control a terminal")
    func name() throws {
        let name = try withDevice([], name: Array("A\u{1B}[2JB\nC\u{202E}D".utf8) + [0xFF]) { $0.capability.card }
        #expect(name == "A\u{FFFD}[2JB\u{FFFD}C\u{FFFD}D\u{FFFD}")
    }

    @Test("two controls with the same name get different names")
    func twins() throws {
        let gain = { DriverAnswers.control($0, "Gain", V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9) }
        let controls = try withDevice(gain(0x98_0913) + DriverAnswers.value(1) + gain(0x98_0914)) { $0.controls() }
        #expect(controls.map(\.name) == ["gain", "gain_0x980914"])
        #expect(controls.map(\.label) == ["Gain", "Gain"])
    }

    @Test("a control without a usable name gets one", arguments: ["", "亮度", "!"])
    func nameless(label: String) throws {
        let answers = DriverAnswers.control(0x98_0900, label, V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9)
        #expect(try withDevice(answers) { $0.controls().map(\.name) } == ["control_0x980900"])
    }

    @Test("a control that a driver repeats endlessly is listed once")
    func circle() throws {
        let gain = DriverAnswers.control(0x98_0913, "Gain", V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9)
        let answers = (0..<100).flatMap { _ in gain + DriverAnswers.value(1) }
        #expect(try withDevice(answers) { $0.controls().count } == 1)
    }

    @Test("a menu may end with the largest number")
    func menu() throws {
        let answers = DriverAnswers.control(0x98_0900, "Menu", V4L2_CTRL_TYPE_MENU, minimum: .max - 1, maximum: .max)
        let control = try #require(try withDevice(answers) { $0.controls().first })
        #expect(control.choices.isEmpty)
    }

    @Test("a frame may have any timestamp", arguments: [Int64.min, .max, 0])
    func stamp(nanoseconds: Int64) {
        let stamp = MonotonicTime(nanoseconds: nanoseconds)
        let age = MonotonicTime.now() - stamp
        #expect(age.isFinite)
        #expect(stamp - stamp == 0)
        #expect((age > 0) == (nanoseconds <= 0))
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
