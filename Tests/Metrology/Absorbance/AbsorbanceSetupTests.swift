import Color
import Foundation
import Testing

@testable import Metrology

@Suite("What absorbances are computed from")
struct AbsorbanceSetupTests {
    private static let conditions = MeasuringConditions(
        camera: "usb-A", format: "YUYV", width: 640, height: 480, controls: ["gain": .number(64)])
    private static let cuvette = [0.4, 0.4, 0.2, 0.2]
    private static let well = [0.1, 0.1, 0.05, 0.05]

    private static func record(
        _ lights: [Double], everywhere: Bool = false, conditions: MeasuringConditions = conditions
    ) -> LightRecord {
        LightRecord(
            time: "2026-11-20T19:30:00.250Z", readings: 16, conditions: conditions, everywhere: everywhere,
            spots: zip([cuvette, well], lights).map {
                .init(region: $0, light: AbsorbanceTests.light($1, error: 0.001, degreesOfFreedom: 2))
            })
    }

    private static func standard(_ concentration: Double, camera: String = "usb-A") -> AbsorbanceSetup.Standard {
        .init(
            name: "\(concentration)", concentration: concentration,
            absorbance: StandardCurveTests.absorbance((0.01 * concentration, 0.1 * concentration, 0)), camera: camera,
            time: "2026-11-20T19:30:00.250Z")
    }

    private static func setup(everywhere: Bool = false) -> AbsorbanceSetup {
        var setup = AbsorbanceSetup()
        setup.blank = record([0.8, 0.5], everywhere: everywhere)
        setup.standards = [0, 1, 2, 3].map { standard($0) }
        setup.unit = "mg/L"
        return setup
    }

    private func value(_ setup: AbsorbanceSetup, _ light: Double, in region: [Double]) -> Double? {
        setup.absorbance(of: AbsorbanceTests.light(light), in: region)?.channels.g?.value
    }

    @Test("each region is compared with its own blank")
    func wells() throws {
        let setup = Self.setup()
        #expect(abs(try #require(value(setup, 0.08, in: Self.cuvette)) - 1) < 1e-12)
        #expect(abs(try #require(value(setup, 0.05, in: Self.well)) - 1) < 1e-12)
    }

    @Test("a region without a blank of its own has no absorbance, unless the blank counts everywhere")
    func elsewhere() throws {
        let place = [0.0, 0.0, 0.1, 0.1]
        let refused = try #require(Self.setup().absorbance(of: AbsorbanceTests.light(0.08), in: place))
        #expect(!refused.isDefined)
        #expect(
            refused.refusals == [
                "The blank was measured in another area: move the area back, or measure the blank again."
            ])
        let everywhere = Self.setup(everywhere: true)
        #expect(everywhere.blank?.spots.count == 1)
        #expect(abs(try #require(value(everywhere, 0.08, in: place)) - 1) < 1e-12)
        #expect(abs(try #require(value(everywhere, 0.08, in: Self.well)) - 1) < 1e-12)
    }

    @Test("the dark of the region is subtracted, and one of another region is refused")
    func dark() throws {
        var setup = Self.setup()
        setup.dark = Self.record([0.1])
        #expect(abs(try #require(value(setup, 0.17, in: Self.cuvette)) - 1) < 1e-12)
        let refused = setup.absorbance(of: AbsorbanceTests.light(0.08), in: Self.well)
        #expect(refused?.refusals.first?.hasPrefix("The dark was measured in another area") == true)
    }

    @Test("without a blank there is no absorbance")
    func noBlank() {
        #expect(AbsorbanceSetup().absorbance(of: AbsorbanceTests.light(0.08), in: Self.cuvette) == nil)
    }

    @Test("another setting than that of the blank or the dark is an obstacle, with both values")
    func conditions() {
        var setup = Self.setup()
        #expect(setup.obstacle(under: Self.conditions) == nil)
        var changed = Self.conditions
        changed.controls["gain"] = .number(80)
        #expect(
            setup.obstacle(under: changed)
                == "The blank was measured with other settings: gain 64 → 80. Restore them, or measure the blank again."
        )
        setup.blank?.conditions = changed
        setup.dark = Self.record([0.1])
        #expect(setup.obstacle(under: changed)?.hasPrefix("The dark was measured with other settings: gain") == true)
        #expect(setup.obstacle(under: nil) == "The controls of the camera are not known yet.")
    }

    @Test("the curve follows the standards and the chosen channel")
    func curve() throws {
        var setup = Self.setup()
        guard case .fitted(let best)? = setup.curve else {
            Issue.record("there is no curve")
            return
        }
        #expect(best.channel == .green && abs(best.line.slope - 0.1) < 1e-12)
        setup.channel = .red
        guard case .fitted(let red)? = setup.curve else {
            Issue.record("there is no curve")
            return
        }
        #expect(red.channel == .red && abs(red.line.slope - 0.01) < 1e-12)
        setup.standards.removeLast(2)
        #expect(
            setup.curve == .refused(.init("There are 2 of the 3 levels that a standard curve needs.")))
        setup.standards = []
        #expect(setup.curve == nil)
    }

    @Test("a standard of another camera than the blank's prevents a curve")
    func otherCamera() {
        var setup = Self.setup()
        setup.standards[2] = Self.standard(2, camera: "usb-B")
        #expect(
            setup.curve
                == .refused(
                    .init(
                        "2.0 was measured with another camera than the blank: measure it again, or delete it.")
                ))
    }

    @Test("a setup is read as it was written, without the channels that have no absorbance")
    func roundTrip() throws {
        var setup = Self.setup()
        setup.dark = Self.record([0.1, 0.05])
        setup.channel = .green
        var channels = setup.standards[3].absorbance.channels
        channels.b = nil
        setup.standards[3].absorbance = Absorbance(channels: channels)
        let read = try JSONDecoder().decode(AbsorbanceSetup.self, from: try JSONEncoder().encode(setup))
        #expect(read == setup)
        #expect(read.curve != nil)
    }

    @Test(
        "figures that are out of range are not read",
        arguments: [
            (#""concentration":3"#, #""concentration":-3"#), (#""concentration":3"#, #""concentration":1e300"#),
            (#""clippedHigh":{"b":0"#, #""clippedHigh":{"b":2"#), (#""region":[0.4,"#, #""region":[1.4,"#),
            (#""region":[0.4,"#, #""region":["#), (#""degreesOfFreedom":2"#, #""degreesOfFreedom":-2"#),
            (#""standardError":{"b":0.001"#, #""standardError":{"b":1e9"#),
        ])
    func range(valid: String, invalid: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(Self.setup()), as: UTF8.self)
        try #require(json.contains(valid))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                AbsorbanceSetup.self, from: Data(json.replacing(valid, with: invalid, maxReplacements: 1).utf8))
        }
    }

    @Test("at most 100 standards are read")
    func count() throws {
        var setup = Self.setup()
        setup.standards = (0...100).map { Self.standard(Double($0)) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(AbsorbanceSetup.self, from: try JSONEncoder().encode(setup))
        }
    }
}
