import CV4L2
import Testing

@testable import V4L2

@Suite("A control")
struct ControlTests {
    private static let choices = [Control.Choice(value: 1, name: "50 Hz"), .init(value: 2, name: "60 Hz")]

    private func control(
        _ kind: Control.Kind = .integer, _ range: ClosedRange<Int64> = 0...255, step: Int64 = 1, id: Int32 = 1,
        value: Control.Value? = nil, isReadOnly: Bool = false
    ) -> Control {
        Control(
            id: UInt32(bitPattern: id), name: "a", label: "A", kind: kind, minimum: range.lowerBound,
            maximum: range.upperBound, step: step, value: value, choices: Self.choices, isReadOnly: isReadOnly,
            isInactive: false)
    }

    @Test(
        "a control takes the values of its kind and range",
        arguments: [
            (.integer, -5...5, 1, [.number(-5), .number(5)]), (.integer, 10...100, 5, [.number(10), .number(15)]),
            (.integer, .min ... .max, 7, [.number(.max)]), (.integer, 0...9, 0, [.number(7)]),
            (.boolean, 0...1, 1, [.number(0), .number(1)]), (.menu, 0...2, 1, [.number(1), .number(2)]),
            (.integerMenu, 0...2, 1, [.number(2)]), (.bitmask, 0...6, 0, [.number(0), .number(6), .number(2)]),
            (.button, 0...0, 0, [.number(9)]),
            (.string, 2...4, 1, [.text("ab"), .text("abcd"), .text("\u{E4}\u{F6}")]),
            (.string, 1...9, 4, [.text("abcde")]),
        ] as [(Control.Kind, ClosedRange<Int64>, Int64, [Control.Value])])
    func taken(kind: Control.Kind, range: ClosedRange<Int64>, step: Int64, values: [Control.Value]) {
        for value in values { #expect(control(kind, range, step: step).problem(with: value) == nil) }
    }

    @Test(
        "a value that a control does not take is explained",
        arguments: [
            (.integer, -5...5, 1, .number(-6), "-6"), (.integer, -5...5, 1, .number(6), "-5...5"),
            (.integer, 10...100, 5, .number(12), "steps of 5"), (.integer, 10...100, 2, .number(13), "steps of 2"),
            (.integer, 0...9, 1, .text("5"), "number"), (.boolean, 0...1, 1, .number(2), "0...1"),
            (.menu, 0...2, 1, .number(0), "1 50 Hz, 2 60 Hz"), (.integerMenu, 0...2, 1, .number(3), "1 50 Hz, 2 60 Hz"),
            (.bitmask, 0...6, 0, .number(7), "bits of 6"), (.string, 2...4, 1, .text("a"), "2 to 4"),
            (.string, 2...4, 1, .text("abcde"), "not 5"), (.string, 1...9, 4, .text("abcd"), "multiple of 4"),
            (.string, 2...4, 1, .number(3), "text"),
        ] as [(Control.Kind, ClosedRange<Int64>, Int64, Control.Value, String)])
    func refused(
        kind: Control.Kind, range: ClosedRange<Int64>, step: Int64, value: Control.Value, words: String
    ) throws {
        #expect(try #require(control(kind, range, step: step).problem(with: value)).contains(words))
    }

    @Test(
        "a value that was read is moved to the nearest one that may be set",
        arguments: [
            (10...100, 5, 12, 10), (10...100, 5, 13, 15), (10...100, 5, 101, 100), (10...100, 5, 3, 10),
            (10...103, 5, 103, 100), (10...100, 5, 50, 50), (0...9, 0, 7, 7), (0...9, 1, 12, 9),
            (.min ... .max, 7, 5, 5),
        ] as [(ClosedRange<Int64>, Int64, Int64, Int64)])
    func settable(range: ClosedRange<Int64>, step: Int64, read: Int64, value: Int64) {
        let control = control(.integer, range, step: step)
        #expect(control.settable(.number(read)) == .number(value))
        #expect(control.problem(with: control.settable(.number(read))) == nil)
        #expect(self.control(.menu).settable(.number(read)) == .number(read))
    }

    @Test("while an automatic control is on, it sets what is inactive or volatile, but no other automatic control")
    func automaticallySet() {
        var exposure = control(id: V4L2_CID_EXPOSURE)
        exposure.isInactive = true
        var gain = control(id: V4L2_CID_DIGITAL_GAIN)
        var focus = control(.boolean, id: V4L2_CID_FOCUS_AUTO, value: .number(0))
        (gain.isVolatile, focus.isInactive) = (true, true)
        let brightness = control(id: V4L2_CID_BRIGHTNESS)
        let on = control(.boolean, id: V4L2_CID_AUTO_WHITE_BALANCE, value: .number(1))
        let off = control(.boolean, id: V4L2_CID_AUTO_WHITE_BALANCE, value: .number(0))
        #expect([exposure, gain, focus, brightness, on].automaticallySet == [exposure, gain])
        #expect([exposure, gain, focus, brightness, off].automaticallySet.isEmpty)
    }

    @Test("automatic gain sets the gain of the sensor and of the image processor")
    func gains() {
        let automatic = control(.boolean, id: V4L2_CID_AUTOGAIN, value: .number(1))
        let gains = [V4L2_CID_GAIN, V4L2_CID_ANALOGUE_GAIN, V4L2_CID_DIGITAL_GAIN].map { control(id: $0) }
        #expect((gains + [automatic]).automaticallySet == gains)
    }

    @Test("a read-only control takes no value", arguments: [Control.Kind.integer, .button])
    func readOnly(kind: Control.Kind) {
        #expect(control(kind, isReadOnly: true).problem(with: .number(1))?.contains("read-only") == true)
    }

    @Test("no more than 16 choices of a menu are named")
    func manyChoices() {
        var control = control(.menu)
        control.choices = (0..<17).map { .init(value: $0, name: "x") }
        let list = (0..<16).map { "\($0) x" }.joined(separator: ", ")
        #expect(control.problem(with: .number(99))?.hasSuffix(list) == true)
    }

    @Test(
        "a value is written as in config.toml",
        arguments: [
            (.number(-7), "-7"), (.text("a \"b\" \\"), #""a \"b\" \\""#),
            (.text("a\n\u{1B}"), #""a\n\u001B""#),
            (.text("e\u{301}"), "\"e\u{301}\""), (.text("\u{301}e\u{301}"), "\"\\u0301e\u{301}\""),
            (.text("\u{E0001}"), #""\U000E0001""#),
        ] as [(Control.Value, String)])
    func written(value: Control.Value, text: String) {
        #expect(value.description == text)
    }

    @Test("a message shows at most 80 characters of a value")
    func brief() {
        #expect(Control.Value.text(String(repeating: "a", count: 78)).brief.count == 80)
        #expect(Control.Value.text(String(repeating: "a", count: 200)).brief.count <= 81)
    }

    @Test("an automatic control governs others while it is on")
    func controlled() {
        let exposure = control(id: V4L2_CID_EXPOSURE_ABSOLUTE)
        let auto = control(.menu, id: V4L2_CID_EXPOSURE_AUTO, value: .number(3))
        let manual = control(.menu, id: V4L2_CID_EXPOSURE_AUTO, value: .number(1))
        let unknown = control(.menu, id: V4L2_CID_EXPOSURE_AUTO)
        #expect([exposure, auto].controller(of: exposure) == auto)
        #expect([exposure, manual].controller(of: exposure) == nil)
        #expect([exposure, unknown].controller(of: exposure) == nil)
        #expect([auto].controller(of: control(id: V4L2_CID_GAIN)) == nil)
        #expect([exposure, auto].activeAutoControls.map(\.automatic.quantity) == [.exposure])
    }

    @Test(
        "an automatic control is off at its manual value",
        arguments: [
            (V4L2_CID_EXPOSURE_AUTO, 1), (V4L2_CID_AUTOGAIN, 0), (V4L2_CID_ISO_SENSITIVITY_AUTO, 0),
            (V4L2_CID_AUTO_WHITE_BALANCE, 0), (V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE, 0), (V4L2_CID_FOCUS_AUTO, 0),
            (V4L2_CID_AUTOBRIGHTNESS, 0), (V4L2_CID_HUE_AUTO, 0), (V4L2_CID_CHROMA_AGC, 0),
        ] as [(Int32, Int64)])
    func manual(id: Int32, value: Int64) {
        #expect([control(id: id, value: .number(value))].activeAutoControls.isEmpty)
        #expect([control(id: id, value: .number(1 - value))].activeAutoControls.count == 1)
    }

    @Test("the controls that affect colours are those that automatic controls adjust, and backlight compensation")
    func measured() {
        let ids = AutoControl.colorControls.map(\.id)
        #expect(ids.count == 17)
        #expect(ids.last == UInt32(bitPattern: V4L2_CID_BACKLIGHT_COMPENSATION))
        #expect(
            AutoControl.all[3].controlled
                == [V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE].map(UInt32.init))
    }
}
