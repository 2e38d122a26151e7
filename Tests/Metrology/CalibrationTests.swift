import Color
import Foundation
import TestSupport
import Testing

@testable import Metrology

@Suite("Calibration")
struct CalibrationTests {
    private static let conditions = MeasuringConditions(
        camera: "usb-A", format: "YUYV", width: 640, height: 480, colorimetry: "BT.709",
        controls: ["gain": .number(64), "auto_exposure": .number(1), "note": .text("a")])

    private func calibration(_ measurements: CalibrationMeasurements) throws(MeasurementRefusal) -> Calibration {
        try Calibration(measurements, conditions: Self.conditions, time: "2026-11-25T12:00:00.000Z")
    }

    private func refusal(_ measurements: CalibrationMeasurements) -> String? {
        do throws(MeasurementRefusal) {
            _ = try calibration(measurements)
            return nil
        } catch {
            return error.message
        }
    }

    private static let grey = PatchMeasurement(linear: LinearRGB(r: 0.5, g: 0.4, b: 0.2))

    private func chart() -> CalibrationMeasurements.ChartPatches {
        .init(
            name: "ColorChecker Classic",
            patches: ChartFitTests.patches().map {
                .init(name: $0.patch.name, reference: $0.patch.lab, measured: $0.measured)
            })
    }

    // MARK: Dark, flat and card

    @Test("the dark is subtracted, and the card balances what is left")
    func darkAndCard() throws {
        let dark = PatchMeasurement(linear: LinearRGB(r: 0.01, g: 0.02, b: 0.03))
        let calibration = try calibration(.init(dark: dark, card: .init(measured: Self.grey, luminance: 0.18)))
        let card = try #require(calibration.card)
        #expect(abs(card.gains.r - 0.38 / 0.49) < 1e-12 && card.gains.g == 1 && abs(card.gains.b - 0.38 / 0.17) < 1e-12)
        #expect(abs(card.scale - 0.18 / 0.38) < 1e-12)
        #expect(calibration.calibrated(Self.grey.linear).values.allSatisfy { abs($0 - 0.18) < 1e-12 })
        #expect(calibration.calibrated(dark.linear).values.allSatisfy { abs($0) < 1e-12 })
    }

    @Test("without measurements there is no calibration")
    func nothing() {
        #expect(
            refusal(.init()) == "Nothing was measured: a calibration has a dark, a flat, a card or a chart.")
    }

    @Test("a lens that is not covered is refused as the dark")
    func uncovered() {
        let dark = PatchMeasurement(linear: LinearRGB(r: 0.01, g: 0.041, b: 0.01))
        #expect(refusal(.init(dark: dark)) == "The lens is not covered: a channel is at 4.1 % of full scale.")
    }

    @Test(
        "a card that is clipped, dark or uneven is refused, but not one at the limits",
        arguments: [
            (.init { ($0.measured.clippedHigh.g, $0.measured.linear.b) = (0.001, 0.1) }, nil),
            (
                .init { $0.measured.clippedHigh.g = 0.002 },
                "The card is not used: 0.2 % of its pixels are at the top of green."
            ),
            (
                .init { $0.measured.linear.b = 0.099 },
                "The card is dark: its blue is 9.9 % of full scale, and 10 % are needed. Raise the exposure or add light."
            ),
            (
                .init { $0.measured.uneven = true },
                "The card is not used: it is uneven: it has an edge, a shadow or a reflection."
            ),
            (
                .init { $0.luminance = 1.5 },
                "The reflectance of the card, 1.5, is not in 0.02...1.0. A grey card has 0.18."
            ),
        ] as [(Change<CalibrationMeasurements.Card>, String?)])
    func badCard(fault: Change<CalibrationMeasurements.Card>, sentence: String?) {
        var card = CalibrationMeasurements.Card(measured: Self.grey, luminance: 0.18)
        fault.apply(&card)
        #expect(refusal(.init(card: card)) == sentence)
    }

    /// Returns a flat of 4x3 cells whose light falls linearly to the right.
    private func flat(_ change: (inout [PatchMeasurement]) -> Void = { _ in }) -> CalibrationMeasurements.Flat {
        var cells = (0..<12).map { index in
            PatchMeasurement(linear: LinearRGB(all: 0.8 - 0.1 * Double(index % 4)))
        }
        change(&cells)
        return .init(columns: 4, cells: cells)
    }

    @Test("the flat is interpolated between the centres of its cells, and extrapolated to the edges of the picture")
    func shading() throws {
        let calibration = try calibration(.init(flat: flat()))
        for place in stride(from: 0.01, through: 0.99, by: 0.07) {
            // The light falls by 0.1 a quarter of the width.
            let light = 0.85 - 0.4 * place
            let area = PictureArea(x: place - 0.01, y: 0.3, width: 0.02, height: 0.4)
            let found = calibration.calibrated(LinearRGB(all: light), in: area)
            #expect(found.values.allSatisfy { abs($0 - 0.65) < 1e-9 })
        }
    }

    @Test(
        "a flat that is clipped, dark or shadowed is refused",
        arguments: [
            ("clipped", "The white sheet is clipped: 1 % of its pixels are at the top of red. Change the exposure."),
            (
                "dark",
                "The white sheet is dark: its brightest part is 9 % of full scale, and 10 % are needed. Raise the exposure "
                    + "or add light."
            ),
            (
                "shadow",
                "The white sheet has parts with less than a tenth of its green light. Let it fill the picture, without a "
                    + "shadow."
            ),
        ])
    func badFlat(fault: String, sentence: String) {
        let flat = flat { cells in
            switch fault {
            case "clipped": cells[2].clippedHigh.r = 0.01
            case "dark": cells = cells.map { _ in PatchMeasurement(linear: LinearRGB(all: 0.09)) }
            default: cells[5].linear.g = 0.07
            }
        }
        #expect(refusal(.init(flat: flat)) == sentence)
    }

    @Test(
        "a flat without whole rows, or with too few or too many cells, is refused",
        arguments: [(5, 12), (1, 12), (12, 12), (65, 130), (0, 0)])
    func badGrid(columns: Int, count: Int) {
        let cells = [PatchMeasurement](repeating: Self.grey, count: count)
        #expect(
            refusal(.init(flat: .init(columns: columns, cells: cells)))?.hasPrefix("The grid of the flat has") == true)
    }

    @Test("a figure out of its range is refused", arguments: [-0.1, 1.1, .nan, .infinity])
    func range(value: Double) {
        let sentence = "A figure of the measurements is not in its range."
        #expect(refusal(.init(dark: PatchMeasurement(linear: LinearRGB(r: 0, g: value, b: 0)))) == sentence)
        var measured = Self.grey
        measured.clippedHigh.r = value
        #expect(refusal(.init(card: .init(measured: measured, luminance: 0.18))) == sentence)
        measured = Self.grey
        measured.area = PictureArea(x: value, y: 0, width: 0.1, height: 0.1)
        #expect(refusal(.init(card: .init(measured: measured, luminance: 0.18))) == sentence)
    }

    // MARK: Conditions

    @Test(
        "a calibration is in force until anything differs, and says what",
        arguments: [
            (.init { _ in }, []), (.init { $0.controls["gain"] = .number(80) }, ["gain 64 → 80"]),
            (.init { $0.controls["auto_exposure"] = nil }, ["auto_exposure 1 → absent"]),
            (.init { $0.controls["zoom"] = .number(2) }, ["zoom absent → 2"]),
            (.init { $0.controls["note"] = .text("b") }, ["note a → b"]),
            (.init { $0.format = "MJPG" }, ["format YUYV → MJPG"]),
            (.init { $0.width = 1280 }, ["size 640x480 → 1280x480"]),
            (.init { $0.colorimetry = nil }, ["colorimetry BT.709 → none"]),
            (.init { ($0.camera, $0.format) = ("usb-B", "MJPG") }, ["camera usb-A → usb-B"]),
            (
                .init { ($0.controls["gain"], $0.controls["auto_exposure"]) = (.number(80), .number(3)) },
                ["auto_exposure 1 → 3", "gain 64 → 80"]
            ),
        ] as [(Change<MeasuringConditions>, [String])])
    func differences(change: Change<MeasuringConditions>, sentences: [String]) throws {
        var present = Self.conditions
        change.apply(&present)
        let calibration = try calibration(.init(card: .init(measured: Self.grey, luminance: 0.18)))
        #expect(calibration.differences(from: present) == sentences)
    }

    // MARK: The document

    @Test("a calibration is the same after it is written and read")
    func roundTrip() throws {
        let calibration = try calibration(
            .init(
                dark: PatchMeasurement(linear: LinearRGB(all: 0.001)), flat: flat(),
                card: .init(measured: Self.grey, luminance: 0.18), chart: chart()))
        let data = try JSONEncoder().encode(calibration)
        #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let conditions = try #require(document["conditions"] as? [String: Any])
        #expect((conditions["controls"] as? [String: Any])?["gain"] as? Int == 64)
    }

    @Test(
        "a document with figures out of range is not read",
        arguments: [
            ("\"dark\":{", "\"dark\":{\"r\":0.5,\"g\":0,\"b\":0},\"x\":{"),
            ("\"columns\":4", "\"columns\":5"), ("\"columns\":4", "\"columns\":0"),
            ("\"scale\":", "\"scale\":0,\"x\":"), ("\"model\":\"matrix\"", "\"model\":\"root-polynomial\""),
            ("\"model\":\"matrix\"", "\"model\":\"cube\""), ("\"coefficients\":[[", "\"coefficients\":[[1,2,3],["),
            ("\"coefficients\":[[", "\"coefficients\":[[1e9,"),
        ])
    func badDocument(text: String, replacement: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let calibration = try calibration(
            .init(
                dark: PatchMeasurement(linear: LinearRGB(all: 0.001)), flat: flat(),
                card: .init(measured: Self.grey, luminance: 0.18), chart: chart()))
        let document = String(decoding: try encoder.encode(calibration), as: UTF8.self)
        #expect(document.contains(text))
        let changed = document.replacingOccurrences(of: text, with: replacement)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Calibration.self, from: Data(changed.utf8))
        }
    }
}
