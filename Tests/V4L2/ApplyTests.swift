import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("Controls that are set together")
struct ApplyTests {
    private static let gain = UInt32(V4L2_CID_GAIN)
    private static let autogain = UInt32(V4L2_CID_AUTOGAIN)
    private static let mode = UInt32(bitPattern: V4L2_CID_POWER_LINE_FREQUENCY)

    private func model() -> ModelControls {
        let model = ModelControls([
            .init(V4L2_CID_AUTOGAIN, "Gain, Automatic", V4L2_CTRL_TYPE_BOOLEAN, 0...1), .init(V4L2_CID_GAIN, "Gain"),
            .init(V4L2_CID_POWER_LINE_FREQUENCY, "Power Line Frequency", V4L2_CTRL_TYPE_BOOLEAN, 0...1),
        ])
        model.values = [Self.autogain: .number(1), Self.gain: .number(7), Self.mode: .number(0)]
        return model
    }

    private func apply(_ wanted: [(String, Control.Value)], to model: ModelControls) throws -> [ControlRefusal] {
        try model.driver.withDevice { device in
            let controls = device.controls()
            return try device.apply(
                wanted.map { name, value in (try #require(controls.first { $0.name == name }), value) })
        }
    }

    @Test("automatic controls are set first, then other switches, then values")
    func order() throws {
        let model = model()
        let wanted: [(String, Control.Value)] = [
            ("gain", .number(50)), ("power_line_frequency", .number(1)), ("gain_automatic", .number(0)),
        ]
        #expect(try apply(wanted, to: model).isEmpty)
        #expect(model.changes == [Self.autogain, Self.mode, Self.gain])
        #expect(model.values == [Self.autogain: .number(0), Self.gain: .number(50), Self.mode: .number(1)])
    }

    @Test("the vertical blanking is set before the exposure, whose range it extends")
    func blanking() throws {
        let (blanking, exposure) = (UInt32(V4L2_CID_VBLANK), UInt32(V4L2_CID_EXPOSURE))
        let model = ModelControls([
            .init(V4L2_CID_EXPOSURE, "Exposure", V4L2_CTRL_TYPE_INTEGER, 4...1000),
            .init(V4L2_CID_VBLANK, "Vertical Blanking", V4L2_CTRL_TYPE_INTEGER, 4...9000),
        ])
        model.values = [exposure: .number(100), blanking: .number(32)]
        model.afterChange = { [unowned model] id in if id == blanking { model.list[0].maximum = 5000 } }
        let wanted: [(String, Control.Value)] = [("exposure", .number(4000)), ("vertical_blanking", .number(4000))]
        for wanted in [wanted, wanted.reversed()] {
            model.list[0].maximum = 1000
            #expect(try apply(wanted, to: model).isEmpty)
            #expect(model.values == [exposure: .number(4000), blanking: .number(4000)])
        }
        #expect(try apply([("exposure", .number(5001))], to: model).map(\.reason) == ["takes 4...5000, not 5001"])
    }

    @Test("a control is set even if one before it has an impossible value")
    func impossible() throws {
        let model = model()
        let refusals = try apply([("gain", .number(256)), ("power_line_frequency", .number(1))], to: model)
        #expect(refusals.map(\.name) == ["gain"])
        #expect(model.changes == [Self.mode])
    }

    @Test("a control that the driver refuses is reported with the driver's reason")
    func refused() throws {
        let model = model()
        model.refusals = [Self.gain: EBUSY]
        let refusals = try apply([("gain", .number(50)), ("power_line_frequency", .number(1))], to: model)
        #expect(refusals == [.init(name: "gain", reason: "cannot be changed at the moment")])
        #expect(model.changes == [Self.mode])
    }

    @Test("a control that the driver adjusted is reported with both values")
    func otherwise() throws {
        let model = model()
        model.afterChange = { [unowned model] in model.values[$0] = .number(48) }
        let refusals = try apply([("gain", .number(50))], to: model)
        #expect(refusals.map(\.name) == ["gain"])
        #expect(refusals.first?.reason.contains("50") == true && refusals.first?.reason.contains("48") == true)
    }

    @Test("a control without effect is reported with the automatic control that has taken it over")
    func inactive() throws {
        let model = model()
        model.setFlags(V4L2_CTRL_FLAG_INACTIVE, of: V4L2_CID_GAIN)
        let controlled = try #require(try apply([("gain", .number(50))], to: model).first)
        #expect(controlled.name == "gain" && controlled.reason.contains("Gain, Automatic"))
        model.values[Self.autogain] = .number(0)
        let other = try #require(try apply([("gain", .number(50))], to: model).first)
        #expect(other.name == "gain" && !other.reason.contains("Automatic"))
    }

    @Test("a button is pressed, and nothing is read back")
    func button() throws {
        let model = ModelControls([.init(0x0098_F900, "Reset", V4L2_CTRL_TYPE_BUTTON, flags: V4L2_CTRL_FLAG_INACTIVE)])
        #expect(try apply([("reset", .number(1))], to: model).isEmpty)
        #expect(model.changes == [0x0098_F900])
    }

    @Test("setting controls of a camera that is gone is an error")
    func gone() throws {
        let model = model()
        model.refusals = [Self.gain: ENODEV]
        let error = #expect(throws: V4L2Error.self) { _ = try apply([("gain", .number(50))], to: model) }
        #expect(error?.errno == ENODEV)
    }
}
