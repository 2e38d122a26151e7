import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("The controls of a device")
struct DeviceControlTests {
    private static let custom: Int32 = 0x0098_F900

    private func controls(_ model: ModelControls) throws -> [Control] { try model.driver.withDevice { $0.controls() } }

    @Test("controls are listed as the driver describes them")
    func list() throws {
        let model = ModelControls([
            .init(V4L2_CID_BRIGHTNESS, "Brightness", V4L2_CTRL_TYPE_INTEGER, -64...64, step: 2),
            .init(V4L2_CID_AUTO_WHITE_BALANCE, "White Balance, Automatic", V4L2_CTRL_TYPE_BOOLEAN, 0...1),
        ])
        model.values = [UInt32(V4L2_CID_BRIGHTNESS): .number(-3), UInt32(V4L2_CID_AUTO_WHITE_BALANCE): .number(1)]
        let expected = [
            Control(
                id: UInt32(V4L2_CID_BRIGHTNESS), name: "brightness", label: "Brightness", kind: .integer, minimum: -64,
                maximum: 64, step: 2, defaultValue: .number(128), value: .number(-3), choices: [], isReadOnly: false,
                isInactive: false),
            Control(
                id: UInt32(V4L2_CID_AUTO_WHITE_BALANCE), name: "white_balance_automatic",
                label: "White Balance, Automatic", kind: .boolean, minimum: 0, maximum: 1, step: 1,
                defaultValue: .number(128), value: .number(1), choices: [], isReadOnly: false, isInactive: false),
        ]
        #expect(try controls(model) == expected)
        #expect(try model.driver.withDevice { $0.control(UInt32(V4L2_CID_AUTO_WHITE_BALANCE)) } == expected[1])
        #expect(try model.driver.withDevice { $0.control(UInt32(V4L2_CID_HUE)) } == nil)
    }

    @Test(
        "a control has the kind of its type, and a control of an unsupported type is omitted",
        arguments: [
            (V4L2_CTRL_TYPE_INTEGER, .integer), (V4L2_CTRL_TYPE_INTEGER64, .integer),
            (V4L2_CTRL_TYPE_BOOLEAN, .boolean), (V4L2_CTRL_TYPE_MENU, .menu),
            (V4L2_CTRL_TYPE_INTEGER_MENU, .integerMenu), (V4L2_CTRL_TYPE_BUTTON, .button),
            (V4L2_CTRL_TYPE_BITMASK, .bitmask), (V4L2_CTRL_TYPE_STRING, .string), (V4L2_CTRL_TYPE_U8, nil),
        ] as [(v4l2_ctrl_type, Control.Kind?)])
    func kinds(type: v4l2_ctrl_type, kind: Control.Kind?) throws {
        #expect(try controls(ModelControls([.init(Self.custom, "A", type)])).first?.kind == kind)
    }

    @Test(
        "a control has the properties of the driver's flags, and one that is disabled is omitted",
        arguments: [
            (0, [false, false, false, false]), (V4L2_CTRL_FLAG_READ_ONLY, [true, false, false, false]),
            (V4L2_CTRL_FLAG_INACTIVE, [false, true, false, false]),
            (V4L2_CTRL_FLAG_VOLATILE, [false, false, true, false]),
            (V4L2_CTRL_FLAG_MODIFY_LAYOUT, [false, false, false, true]), (V4L2_CTRL_FLAG_DISABLED, nil),
        ] as [(Int32, [Bool]?)])
    func flags(flags: Int32, properties: [Bool]?) throws {
        let control = try controls(ModelControls([.init(Self.custom, "A", flags: flags)])).first
        #expect(control.map { [$0.isReadOnly, $0.isInactive, $0.isVolatile, $0.modifiesLayout] } == properties)
    }

    @Test("a control that cannot be read has no value")
    func writeOnly() throws {
        let model = ModelControls([.init(Self.custom, "A", flags: V4L2_CTRL_FLAG_WRITE_ONLY)])
        model.values = [UInt32(Self.custom): .number(5)]
        #expect(try controls(model).first?.value == nil)
        #expect(try controls(ModelControls([.init(Self.custom, "A")])).first?.value == nil)
    }

    @Test("a button has neither a value nor a default")
    func button() throws {
        let model = ModelControls([.init(Self.custom, "Reset", V4L2_CTRL_TYPE_BUTTON)])
        model.values = [UInt32(Self.custom): .number(5)]
        let button = try #require(try controls(model).first)
        #expect(button.value == nil)
        #expect(button.defaultValue == nil)
    }

    @Test("values may be numbers of 32 and 64 bits, bit masks and texts")
    func values() throws {
        let model = ModelControls([
            .init(Self.custom, "Wide", V4L2_CTRL_TYPE_INTEGER64, 0...0x1_0000_0000),
            .init(Self.custom + 1, "Bits", V4L2_CTRL_TYPE_BITMASK, 0...0xFFFF_FFFF),
            .init(Self.custom + 2, "Text", V4L2_CTRL_TYPE_STRING, 0...5),
        ])
        model.values = [
            UInt32(Self.custom): .wide(0x1_0000_0000), UInt32(Self.custom + 1): .number(-1),
            UInt32(Self.custom + 2): .text("H\u{E4}llo"),
        ]
        // Six bytes are one more than the driver allows.
        #expect(try controls(model).map(\.value) == [.number(0x1_0000_0000), .number(0xFFFF_FFFF), nil])
        model.values[UInt32(Self.custom + 2)] = .text("Hallo")
        let text = try #require(try controls(model).last)
        #expect(text.value == .text("Hallo"))
        #expect(text.defaultValue == nil)
    }

    @Test("a text of more than 4096 bytes is not read")
    func longText() throws {
        let model = ModelControls([.init(Self.custom, "Text", V4L2_CTRL_TYPE_STRING, 0...100_000)])
        model.values = [UInt32(Self.custom): .text(String(repeating: "a", count: 4096))]
        #expect(try controls(model).first?.value == .text(String(repeating: "a", count: 4096)))
        model.values = [UInt32(Self.custom): .text(String(repeating: "a", count: 4097))]
        #expect(try controls(model).first?.value == nil)
    }

    @Test("a menu has the choices that the driver names")
    func menu() throws {
        let model = ModelControls([
            .init(Self.custom, "Mode", V4L2_CTRL_TYPE_MENU, 0...3),
            .init(Self.custom + 1, "Frequency", V4L2_CTRL_TYPE_INTEGER_MENU, 1...2),
        ])
        model.driver.on(FAKE_QUERYMENU, v4l2_querymenu.self) { menu in
            guard menu.index != 2 || menu.id == UInt32(Self.custom + 1), menu.index <= 3 else { return EINVAL }
            if menu.id == UInt32(Self.custom) {
                menu.name.0 = UInt8(ascii: "A") + UInt8(menu.index)
            } else {
                menu.value = Int64(menu.index) * 50
            }
            return 0
        }
        let found = try controls(model)
        #expect(
            found[0].choices == [.init(value: 0, name: "A"), .init(value: 1, name: "B"), .init(value: 3, name: "D")])
        #expect(found[1].choices == [.init(value: 1, name: "50"), .init(value: 2, name: "100")])
    }

    @Test(
        "a menu has at most 256 choices, and none in an impossible range",
        arguments: [(0, 255, 256), (0, 1000, 256), (7, 7, 1), (-1, 3, 0), (4, 3, 0), (.max - 1, .max, 2)]
            as [(Int64, Int64, Int)])
    func menuBounds(minimum: Int64, maximum: Int64, count: Int) throws {
        var query = v4l2_query_ext_ctrl(Self.custom, "Mode", V4L2_CTRL_TYPE_MENU)
        (query.minimum, query.maximum) = (minimum, maximum)
        let model = ModelControls([query])
        model.driver.on(FAKE_QUERYMENU, v4l2_querymenu.self) { _ in 0 }
        #expect(try controls(model).first?.choices.count == count)
    }

    @Test("every control has a name of its own, even if the driver gives two the same, or none")
    func names() throws {
        let model = ModelControls([
            .init(Self.custom, "Gain"), .init(Self.custom + 1, "gain"), .init(Self.custom + 2, "..."),
        ])
        #expect(try controls(model).map(\.name) == ["gain", "gain_0x98f901", "control_0x98f902"])
    }

    @Test(
        "controls are named as v4l2-ctl names them",
        arguments: [
            ("White Balance, Automatic", "white_balance_automatic"), ("  Gain (dB) ", "gain_db"), ("H.264", "h_264"),
            ("Größe", "gr_e"), ("", ""),
        ])
    func identifiers(label: String, name: String) {
        #expect(Device.identifier(from: label) == name)
    }

    @Test("a control that a USB camera fails to describe does not hide those that follow", arguments: [1, .max])
    func undescribed(failures: Int) throws {
        let ids = [V4L2_CID_BRIGHTNESS, V4L2_CID_CONTRAST, V4L2_CID_HUE, V4L2_CID_EXPOSURE_ABSOLUTE]
        let model = ModelControls(zip(ids, ["A", "B", "C", "D"]).map { .init($0, $1) })
        for id in [V4L2_CID_CONTRAST, V4L2_CID_HUE] { model.failures[UInt32(bitPattern: id)] = failures }
        #expect(try controls(model).map(\.name) == (failures == 1 ? ["a", "b", "c", "d"] : ["a", "d"]))
    }

    @Test(
        "controls of a camera that is gone or does not answer are not asked for one by one",
        arguments: [ENODEV, ENOTTY, ETIMEDOUT])
    func gone(errno: Int32) throws {
        let model = ModelControls()
        model.driver.on(FAKE_QUERY_EXT_CTRL, v4l2_query_ext_ctrl.self) { _ in errno }
        #expect(try controls(model).isEmpty)
        #expect(model.driver.count(of: FAKE_QUERY_EXT_CTRL) == 1)
    }

    @Test("the list of controls ends if the driver repeats a control")
    func circle() throws {
        let model = ModelControls()
        model.driver.on(FAKE_QUERY_EXT_CTRL, v4l2_query_ext_ctrl.self) { query in
            query = v4l2_query_ext_ctrl(Self.custom, "Gain")
            return 0
        }
        #expect(try controls(model).map(\.name) == ["gain"])
    }

    @Test("at most 1024 controls are listed")
    func endless() throws {
        let model = ModelControls()
        model.driver.on(FAKE_QUERY_EXT_CTRL, v4l2_query_ext_ctrl.self) { query in
            let id = query.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            query = v4l2_query_ext_ctrl(Int32(id + 1), "Gain")
            return 0
        }
        #expect(try controls(model).count == 1024)
    }

    @Test(
        "controls of every kind can be set",
        arguments: [
            (V4L2_CTRL_TYPE_INTEGER, -5...5, .number(-5), .number(-5)),
            (V4L2_CTRL_TYPE_INTEGER, Int64(Int32.min)...Int64(Int32.max), .number(-5), .number(-5)),
            (V4L2_CTRL_TYPE_INTEGER64, 0...0x1_0000_0000, .number(0x1_0000_0000), .wide(0x1_0000_0000)),
            (V4L2_CTRL_TYPE_INTEGER64, -0x1_0000_0000...0, .number(-0x1_0000_0000), .wide(-0x1_0000_0000)),
            (V4L2_CTRL_TYPE_BITMASK, 0...0xFFFF_FFFF, .number(0xFFFF_FFFF), .number(-1)),
            (V4L2_CTRL_TYPE_STRING, 0...9, .text("Grün"), .text("Grün")),
            (V4L2_CTRL_TYPE_BUTTON, 0...0, .number(1), nil),
        ] as [(v4l2_ctrl_type, ClosedRange<Int64>, Control.Value, ModelControls.Value?)])
    func set(type: v4l2_ctrl_type, range: ClosedRange<Int64>, value: Control.Value, result: ModelControls.Value?) throws
    {
        let model = ModelControls([.init(Self.custom, "A", type, range)])
        try model.driver.withDevice { device in
            try device.set(try #require(device.controls().first), to: value)
        }
        #expect(model.changes == [UInt32(Self.custom)])
        #expect(model.values[UInt32(Self.custom)] == result)
    }

    @Test(
        "setting a control that the driver refuses throws an error that says why",
        arguments: [
            (ERANGE, V4L2Error.control(name: "a", errno: ERANGE, path: "/dev/video9")),
            (ENODEV, .system(call: "VIDIOC_S_EXT_CTRLS", errno: ENODEV, path: "/dev/video9")),
        ])
    func refused(errno: Int32, expected: V4L2Error) throws {
        let model = ModelControls([.init(Self.custom, "A")])
        model.refusals = [UInt32(Self.custom): errno]
        let error = #expect(throws: V4L2Error.self) {
            try model.driver.withDevice { try $0.set(try #require($0.controls().first), to: .number(1)) }
        }
        #expect(error == expected)
    }
}
