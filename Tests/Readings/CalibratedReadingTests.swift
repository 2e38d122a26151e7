import Color
import Documents
import Foundation
import Metrology
import TestSupport
import Testing

@testable import Handoff
@testable import Readings

@Suite("Calibrated readings")
struct CalibratedReadingTests {
    private let readings = Latest(Reading.none)
    private let influence = Latest(ControlInfluence())
    private let calibrations = Latest([String: Calibration]())
    private let publisher: ReadingPublisher

    /// Makes a calibration, by a card, of a camera with a gain of 64.
    init() throws {
        let conditions = MeasuringConditions(
            camera: "usb-A", format: "YUYV", width: 640, height: 480, colorimetry: "BT.709",
            controls: ["gain": .number(64)])
        let card = CalibrationMeasurements.Card(
            measured: PatchMeasurement(linear: LinearRGB(r: 0.4, g: 0.3, b: 0.2)), luminance: 0.18)
        let calibration = try Calibration(.init(card: card), conditions: conditions, time: "")
        calibrations.publish(["usb-A": calibration])
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(64)]))
        publisher = ReadingPublisher(
            settings: .init(), readings: readings, influence: influence, calibrations: calibrations)
    }

    private func publish(
        camera: String = "usb-A", width: Int = 640, format: String = "YUYV", colorimetry: String? = "BT.709",
        state: Reading.State = .live
    ) {
        publisher.publish(
            .init(mean: RGB(r: 170, g: 149, b: 124), linear: LinearRGB(r: 0.4, g: 0.3, b: 0.2)),
            of: .init(
                sequence: 1, width: width, height: 480, format: format, colorimetry: colorimetry, ageMs: 0, time: .now()
            ),
            camera: .init(id: camera, name: "A"), state: state, captureRate: 15, dropped: 0, at: MonotonicTime.now())
    }

    private var reading: Reading { readings.value }

    @Test("a reading has the colour by the calibration beside its own")
    func inForce() throws {
        publish()
        #expect(reading.calibration == .init(differences: []))
        let calibrated = try #require(reading.calibrated?.linear)
        #expect(calibrated.values.allSatisfy { abs($0 - 0.18) < 1e-12 })
        #expect(reading.hex == "#AA957C")
        #expect(reading.quality?.flags.contains { $0.code == .calibration } == false)
        let json = String(decoding: reading.json(), as: UTF8.self)
        #expect(
            json.contains(
                ##""calibrated":{"hex":"#767676","lab":{"a":0,"b":0,"l":49.4961},"linear":{"b":0.18,"g":0.18,"r":0.18},"##
                    + ##""rgb":{"b":118,"g":118,"r":118}},"calibration":{"because":null,"inForce":true},"##))
    }

    /// Publishes readings by a calibration whose chart has greys only, with a factor for all channels.
    private func publish(scale: Double, light: LinearRGB) throws -> [Quality.Flag] {
        let patches = (1...12).map { step in
            let light = LinearRGB(all: 0.07 * Double(step))
            return CalibrationMeasurements.ChartPatches.Patch(
                name: "\(step)", reference: CIELab(light), measured: PatchMeasurement(linear: light / scale))
        }
        let calibration = try Calibration(
            .init(chart: .init(name: "Greys", patches: patches)),
            conditions: #require(calibrations.value["usb-A"]).conditions, time: "")
        calibrations.publish(["usb-A": calibration])
        publisher.publish(
            .init(mean: RGB(light), linear: light),
            of: .init(
                sequence: 1, width: 640, height: 480, format: "YUYV", colorimetry: "BT.709", ageMs: 0, time: .now()),
            camera: .init(id: "usb-A", name: "A"), state: .live, captureRate: 15, dropped: 0, at: MonotonicTime.now())
        return reading.quality?.flags ?? []
    }

    @Test("a colour that the chart spans has no doubt of its own")
    func spanned() throws {
        let flags = try publish(scale: 1, light: LinearRGB(all: 0.4))
        #expect(!flags.contains { [.outsideChart, .aboveWhite].contains($0.code) })
    }

    @Test("a colour outside of what the chart spans says how far")
    func outside() throws {
        let flags = try publish(scale: 1, light: LinearRGB(r: 0.4, g: 0.1, b: 0.1))
        let flag = try #require(flags.first { $0.code == .outsideChart })
        #expect(flag.grade == .fair && 30...60 ~= flag.value)
        #expect(flag.message.hasPrefix("The calibrated colour is outside of what the chart spans, by "))
    }

    @Test("a calibrated colour that is lighter than white is poor, first of all")
    func aboveWhite() throws {
        let flags = try publish(scale: 3, light: LinearRGB(all: 0.6))
        let flag = try #require(flags.first)
        #expect(flag.code == .aboveWhite && flag.grade == .poor && flag.value > 120)
        #expect(flags.contains { $0.code == .outsideChart })
    }

    @Test("a table has the mean calibrated colour of the readings that have one, and reads it back")
    func table() throws {
        publish()
        var summary = try #require(ReadingSummary(reading))
        summary.add(
            try #require(ReadingSummary(reading.with { $0.calibrated?.linear = LinearRGB(r: 0.2, g: -0.02, b: 1.5) })))
        summary.add(try #require(ReadingSummary(reading.with { $0.calibrated = nil })))
        let csv = ReadingCSV()
        let line = csv.line(summary, since: summary.time)
        #expect(line.contains(##","#7950EC",0.190000,0.080000,0.840000,"##))
        let reader = try #require(ReadingCSV.Reader(header: csv.header.dropLast()))
        let again = try #require(reader.summary(line.dropLast())?.calibrated)
        #expect(zip(again.values, [0.19, 0.08, 0.84]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("a sample has the mean calibrated colour if all of its readings have one, and keeps it in its file")
    func sample() throws {
        publish()
        let first = try #require(reading.frame?.time)
        func sample(_ changes: [(inout Reading) -> Void]) throws -> Sample {
            var collector = SampleCollector(of: changes.count, in: reading.region, after: reading)
            for (number, change) in changes.enumerated() {
                let later = reading.with {
                    let time = MonotonicTime(nanoseconds: first.nanoseconds + Int64(number) + 1)
                    $0.frame?.time = time
                    $0.frame?.firstTime = time
                    change(&$0)
                }
                _ = collector.add(later, elapsed: 1)
            }
            return try #require(collector.sample(id: 1, name: "Leaf", controls: [:]))
        }
        let whole = try sample([{ _ in }, { $0.calibrated?.linear = LinearRGB(all: 0.2) }])
        let again = try JSONDecoder().decode(Sample.self, from: JSONWriter.data(whole))
        #expect(again.calibrated?.linear == LinearRGB(all: 0.19))
        #expect(String(decoding: SampleCSV().data([again]), as: UTF8.self).contains(##","#797979",0.190000,"##))
        #expect(try sample([{ _ in }, { $0.calibrated = nil }]).calibrated == nil)
    }

    @Test("after a change of a control, the next reading is not calibrated, and says why; put back, it is again")
    func control() {
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(80)]))
        publish()
        #expect(reading.calibrated == nil)
        #expect(reading.calibration?.because == "gain 64 → 80")
        let flag = reading.quality?.flags.last
        #expect(flag?.code == .calibration && flag?.value == 1 && flag?.grade == .fair)
        #expect(
            flag?.message == "The calibration is not in force: gain 64 → 80. Restore that, or calibrate again.")
        let json = String(decoding: reading.json(), as: UTF8.self)
        #expect(json.contains(#""calibrated":null,"calibration":{"because":"gain 64 → 80","inForce":false},"#))
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(64)]))
        publish()
        #expect(reading.calibrated != nil)
    }

    @Test(
        "another size, format or colorimetry ends the calibration",
        arguments: [
            (1280, "YUYV", "BT.709", "size 640x480 → 1280x480"), (640, "MJPG", "BT.709", "format YUYV → MJPG"),
            (640, "YUYV", "BT.601", "colorimetry BT.709 → BT.601"),
        ])
    func format(width: Int, format: String, colorimetry: String, because: String) {
        publish(width: width, format: format, colorimetry: colorimetry)
        #expect(reading.calibrated == nil && reading.calibration?.because == because)
    }

    @Test("another camera has no calibration")
    func otherCamera() {
        influence.publish(ControlInfluence(camera: "usb-B", controls: ["gain": .number(64)]))
        publish(camera: "usb-B")
        #expect(reading.calibrated == nil && reading.calibration == nil)
    }

    @Test("while the controls of the camera are not known, its calibration is not in force")
    func unknownControls() {
        influence.publish(ControlInfluence(camera: "usb-B", controls: ["gain": .number(64)]))
        publish()
        #expect(reading.calibrated == nil && reading.calibration?.because == "the controls are not known yet")
    }

    @Test("without a colour, there is no calibration to apply")
    func noColor() {
        publisher.publish(
            .init(state: .lost, message: "It is gone."), camera: .init(id: "usb-A", name: "A"), at: MonotonicTime.now())
        #expect(reading.calibrated == nil && reading.calibration == nil)
    }
}
