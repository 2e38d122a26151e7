import Color
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Untrusted

@Suite("Readings with an absorbance")
struct AbsorbanceReadingTests {
    private let readings = Latest(Reading.none)
    private let influence = Latest(ControlInfluence())
    private let setup = Latest(AbsorbanceSetup?.none)
    private let clock = ManualClock()
    private let publisher: ReadingPublisher
    private static let region = Region(x: 0.4, y: 0.4, width: 0.2, height: 0.2)
    private static let well = Probe(name: "A1", region: Region(x: 0, y: 0, width: 0.1, height: 0.1))

    /// Makes a setup with a blank of 0.8 in the region and 0.5 in a well, of a camera with a gain of 64.
    init() {
        let conditions = MeasuringConditions(
            camera: "usb-A", format: "YUYV", width: 640, height: 480, controls: ["gain": .number(64)])
        func light(_ value: Double) -> LightMeasurement {
            .init(light: LinearRGB(all: value), standardError: ChannelFigures(all: 0.0005), degreesOfFreedom: 2)
        }
        var blank = AbsorbanceSetup()
        blank.unit = "mg/L"
        blank.blank = LightRecord(
            time: "", readings: 16, conditions: conditions, everywhere: false,
            spots: [
                .init(region: Self.region.coordinates, light: light(0.8)),
                .init(region: Self.well.region.coordinates, light: light(0.5)),
            ])
        setup.publish(blank)
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(64)]))
        publisher = ReadingPublisher(
            settings: .init(region: Self.region, probes: [Self.well]), readings: readings, influence: influence,
            absorbance: setup, clocks: clock.clocks)
    }

    /// Adds standards of 0 to 3 mg/L, of which each makes an absorbance of 0.1 in green.
    private func addStandards() {
        let scatter = [0.0004, -0.0004, 0.0003, -0.0003]
        setup.update { setup in
            setup?.standards = zip([0.0, 1, 2, 3], scatter).map { concentration, error in
                let figures = [0.01, 0.1, 0.02].map {
                    Absorbance.Figure(value: $0 * concentration + error, standardError: 0.001)
                }
                return .init(
                    name: "\(concentration)", concentration: concentration,
                    absorbance: Absorbance(channels: Channels(r: figures[0], g: figures[1], b: figures[2])),
                    camera: "usb-A", time: "")
            }
        }
    }

    /// Publishes readings, whose noise is 0.1 code values.
    private func publish(_ light: Double, count: Int = 10, region: Region? = nil) {
        if let region { publisher.settings.region = region }
        for number in 0..<count {
            clock.advance(by: 0.25)
            let mean = 255 * SRGB.encoded(light) + (number % 2 == 0 ? 0.1 : -0.1)
            publisher.publish(
                .init(mean: RGB(all: mean), linear: LinearRGB(all: light)),
                probes: [.init(mean: RGB(all: mean), linear: LinearRGB(all: light))],
                of: .init(
                    sequence: UInt32(number), width: 640, height: 480, format: "YUYV", ageMs: 0, time: clock.now),
                camera: .init(id: "usb-A", name: "A"), state: .live, captureRate: 15, dropped: 0, at: clock.now)
        }
    }

    private func json(withWholeProbes: Bool = false) throws -> NSDictionary {
        let data = readings.value.json(withWholeProbes: withWholeProbes)
        return try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    @Test("a tenth of the blank's light is an absorbance of 1 in each channel, with its standard error")
    func absorbance() throws {
        publish(0.08)
        let absorbance = try #require(try json()["absorbance"] as? NSDictionary)
        #expect(absorbance["r"] as? Double == 1 && absorbance["g"] as? Double == 1 && absorbance["b"] as? Double == 1)
        let error = try #require((absorbance["standardError"] as? NSDictionary)?["g"] as? Double)
        // The noise of 0.1 code values at this light, and the error of the blank.
        let slope = 2.4 / 1.055 / 255 * pow((SRGB.encoded(0.08) + 0.055) / 1.055, 1.4)
        let noise = try #require(readings.value.stability.noise?.channels.g)
        let expected = hypot(slope * noise / 0.08, 0.0005 / 0.8) / log(10)
        #expect(abs(error - expected) < 0.01 * expected)
        #expect(try json()["blank"] as? NSDictionary == ["inForce": true, "because": NSNull()])
        #expect(try json()["concentration"] is NSNull)
    }

    @Test("a probe is compared with the blank of its own well, and only whole probes have an absorbance")
    func probe() throws {
        addStandards()
        publish(0.25)
        let probes = try #require(try json(withWholeProbes: true)["probes"] as? [NSDictionary])
        let absorbance = try #require(probes.first?["absorbance"] as? NSDictionary)
        #expect(absorbance["g"] as? Double == 0.30103)
        let concentration = try #require(probes.first?["concentration"] as? NSDictionary)
        #expect(abs(try #require(concentration["value"] as? Double) - 3.01) < 0.02)
        #expect((try json()["probes"] as? [NSDictionary])?.first?["absorbance"] == nil)
    }

    @Test("a concentration beyond the standards, or below the limit of detection, says so")
    func outside() throws {
        addStandards()
        publish(0.8 * pow(10, -0.6))
        #expect((try json()["concentration"] as? NSDictionary)?["extrapolated"] as? Bool == true)
        publish(0.8)
        #expect((try json()["concentration"] as? NSDictionary)?["belowDetection"] as? Bool == true)
    }

    @Test("a curve gives the concentration, with the ends of its interval and the unit")
    func concentration() throws {
        addStandards()
        publish(0.8 * pow(10, -0.2))
        let found = try #require(try json()["concentration"] as? NSDictionary)
        #expect(
            Set(found.allKeys as? [String] ?? [])
                == ["value", "low", "high", "unit", "belowDetection", "extrapolated"])
        #expect(found["belowDetection"] as? Bool == false && found["extrapolated"] as? Bool == false)
        let numbers = try ["low", "value", "high"].map { try #require(found[$0] as? Double) }
        #expect(numbers[0] < 2 && 2 < numbers[2] && abs(numbers[1] - 2) < 0.02)
        #expect(numbers == numbers.sorted())
        #expect(found["unit"] as? String == "mg/L")
    }

    @Test("a table has the mean concentration of its readings with the flags of any, and reads it back")
    func table() throws {
        addStandards()
        publish(0.8 * pow(10, -0.2))
        var summary = try #require(ReadingSummary(readings.value))
        let first = summary
        publish(0.8 * pow(10, -0.31))
        summary.add(try #require(ReadingSummary(readings.value)))
        let concentration = try #require(summary.concentration)
        #expect(abs(concentration.value - 2.55) < 0.02)
        #expect(concentration.flags == .extrapolated && concentration.unit == "mg/L")
        let csv = ReadingCSV(probes: ["A1"])
        let names = csv.header.dropLast().split(separator: ",").map(String.init)
        let line = csv.line(summary, since: summary.time)
        let cells = try #require(CSVFormat.standard.cells(of: line.dropLast()))
        let row = Dictionary(zip(names, cells)) { first, _ in first }
        #expect(row["concentration"] == String(format: "%.5f", concentration.value))
        #expect(row["concentration_unit"] == "mg/L" && row["concentration_flags"] == "extrapolated")
        // The blank of the well is darker: the first light is brighter than it, and the second is nearly the same.
        #expect(row[#""A1 concentration_flags""#] == "below-detection")
        let reader = try #require(ReadingCSV.Reader(header: csv.header.dropLast()))
        let again = try #require(reader.summary(line.dropLast())?.concentration)
        #expect(abs(again.value - concentration.value) < 1e-5)
        let single = try #require(reader.summary(csv.line(first, since: first.time).dropLast())?.concentration)
        #expect(try #require(single.interval).contains(2))
        // One of the two readings has no interval.
        #expect(again.interval == nil)
        #expect(again.flags == concentration.flags && again.unit == concentration.unit)
    }

    @Test("a sample has the concentration in the region and in each probe, and keeps it in its file")
    func sample() throws {
        addStandards()
        publish(0.8)
        var collector = SampleCollector(of: 16, in: Self.region, after: readings.value)
        for _ in 0..<16 {
            publish(0.8 * pow(10, -0.2), count: 1)
            _ = collector.add(readings.value, elapsed: 1)
        }
        let sample = try #require(collector.sample(id: 1, name: "Leaf", controls: [:]))
        let concentration = try #require(sample.concentration)
        #expect(abs(concentration.value - 2) < 0.02 && concentration.flags.isEmpty)
        #expect(try #require(concentration.interval).contains(2))
        #expect(sample.probes.first?.concentration?.flags == .belowDetection)
        let again = try JSONDecoder().decode(Sample.self, from: JSONWriter.data(sample))
        #expect(abs(try #require(again.concentration).value - concentration.value) < 1e-5)
        #expect(again.probes.first?.concentration?.flags == .belowDetection)
    }

    @Test("the metrics have the concentrations of region and probes, with their flags")
    func metrics() {
        addStandards()
        publish(0.8 * pow(10, -0.2))
        var metrics = MetricsWriter()
        readings.value.write(to: &metrics)
        #expect(metrics.text.contains(#"swatchcam_concentration_flag{flag="extrapolated",probe=""} 0"#))
        #expect(metrics.text.contains(#"swatchcam_concentration_flag{flag="below-detection",probe="A1"} 1"#))
        #expect(metrics.text.contains(#"swatchcam_concentration{probe="",unit="mg/L"} 2."#))
        #expect(metrics.text.contains(#"swatchcam_concentration_bound{end="low",probe="",unit="mg/L"}"#))
    }

    @Test("until the noise is known, there is no standard error and no concentration")
    func noNoise() throws {
        addStandards()
        publish(0.08, count: 3)
        #expect((try json()["absorbance"] as? NSDictionary)?["standardError"] is NSNull)
        #expect(try json()["concentration"] is NSNull)
    }

    @Test("after a change of a control there is no absorbance, and the reading says why; put back, there is one again")
    func control() throws {
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(80)]))
        publish(0.08)
        let sentence =
            "The blank was measured with other settings: gain 64 → 80. Restore them, or measure the blank again."
        #expect(try json()["absorbance"] is NSNull)
        #expect(try json()["blank"] as? NSDictionary == ["inForce": false, "because": sentence])
        influence.publish(ControlInfluence(camera: "usb-A", controls: ["gain": .number(64)]))
        publish(0.08)
        #expect(try json()["absorbance"] is NSDictionary)
    }

    @Test("in another area there is no absorbance, and the reading says so")
    func otherArea() throws {
        publish(0.08, region: .full)
        #expect(try json()["absorbance"] is NSNull)
        let because = (try json()["blank"] as? NSDictionary)?["because"] as? String
        #expect(because?.hasPrefix("The blank was measured in another area") == true)
    }

    @Test("a sample without light has no absorbance, never an infinite one")
    func black() throws {
        addStandards()
        publish(0)
        #expect(try json()["absorbance"] is NSNull)
        #expect(try json()["concentration"] is NSNull)
        let because = (try json()["blank"] as? NSDictionary)?["because"] as? String
        #expect(because?.contains("The sample is no brighter than the dark in red") == true)
    }

    @Test("without a blank or a colour, there is nothing to say about it")
    func none() throws {
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: clock.now)
        #expect(try json()["blank"] is NSNull)
        setup.publish(nil)
        publish(0.08)
        #expect(try json()["blank"] is NSNull)
        #expect(try json()["absorbance"] is NSNull)
    }
}
