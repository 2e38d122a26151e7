import CV4L2
import FakeDriver
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import V4L2

/// What no driver at hand does, and any may.
@Suite("A driver that is wrong")
struct WrongDriverTests {
    /// A camera that answers with these bytes once it has said what it is.
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
            return try body(try V4L2Driver.fakeDevice())
        }
    }

    @Test("may call its device anything; what is shown breaks no line and steers no terminal")
    func name() throws {
        let name = try withDevice([], name: Array("A\u{1B}[2JB\nC\u{202E}D".utf8) + [0xFF]) { $0.capability.card }
        #expect(name == "A\u{FFFD}[2JB\u{FFFD}C\u{FFFD}D\u{FFFD}")
    }

    @Test("may call two controls alike; each has a name of its own")
    func twins() throws {
        let gain = { DriverAnswers.control($0, "Gain", V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9) }
        let controls = try withDevice(gain(0x98_0913) + DriverAnswers.value(1) + gain(0x98_0914)) { $0.controls() }
        #expect(controls.map(\.name) == ["gain", "gain_0x980914"])
        #expect(controls.map(\.label) == ["Gain", "Gain"])
    }

    @Test("may call a control by no letter that a name has; it has a name all the same", arguments: ["", "亮度", "!"])
    func nameless(label: String) throws {
        let answers = DriverAnswers.control(0x98_0900, label, V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9)
        #expect(try withDevice(answers) { $0.controls().map(\.name) } == ["control_0x980900"])
    }

    @Test("may name the same control for ever; it is listed once")
    func circle() throws {
        let gain = DriverAnswers.control(0x98_0913, "Gain", V4L2_CTRL_TYPE_INTEGER, minimum: 0, maximum: 9)
        let answers = (0..<100).flatMap { _ in gain + DriverAnswers.value(1) }
        #expect(try withDevice(answers) { $0.controls().count } == 1)
    }

    @Test("may have a menu that ends with the greatest of all numbers")
    func menu() throws {
        let answers = DriverAnswers.control(0x98_0900, "Menu", V4L2_CTRL_TYPE_MENU, minimum: .max - 1, maximum: .max)
        let control = try #require(try withDevice(answers) { $0.controls().first })
        #expect(control.choices.isEmpty)
    }

    @Test("may stamp a frame with any time", arguments: [Int64.min, .max, 0])
    func stamp(nanoseconds: Int64) {
        let stamp = MonotonicTime(nanoseconds: nanoseconds)
        let age = MonotonicTime.now() - stamp
        #expect(age.isFinite)
        #expect(stamp - stamp == 0)
        #expect((age > 0) == (nanoseconds <= 0))
    }

    @Test(
        "may have a text with anything in it, which is written so that it can be read again",
        arguments: ["a\"b", "\u{1B}[2J", "a\nb\\", String(repeating: "long ", count: 50), "\u{202E}", "亮"])
    func text(text: String) throws {
        let value = Control.Value.text(text)
        #expect(!value.description.contains("\n") && !value.description.contains("\u{1B}"))
        let config = try ConfigFile.config(in: "[camera.controls]\nname = \(value)\n", path: "config.toml")
        #expect(config.camera.controls == ["name": .string(text)])
    }
}
