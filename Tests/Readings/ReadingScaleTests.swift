import Color
import Documents
import Foundation
import Handoff
import Metrology
import Pixels
import Testing

@testable import Readings
@testable import Untrusted

@Suite("Values on scales")
struct ReadingScaleTests {
    private static let colors = [10.0, 20, 30].map { CIELab(lightness: 60, a: 0, b: $0) }
    private static let pH = NamedScale(name: "pH", values: [6, 7, 8], colors: .known(colors.map { .init([$0]) }))

    /// The newest of eight readings of a colour, and of probes.
    private func reading(
        _ color: CIELab, scale: NamedScale = pH, probes: KeyValuePairs<String, CIELab> = [:], count: Int = 8,
        lampPerReading: Double = 1
    ) throws -> Reading {
        let readings = Latest(Reading.none)
        let settings = ReadingPublisher.Settings(
            probes: probes.map { Probe(name: Name($0.key), region: .full) }, scales: [scale])
        let publisher = ReadingPublisher(settings: settings, readings: readings)
        for index in 0..<count {
            let time = MonotonicTime(nanoseconds: Int64(index) * 250_000_000)
            let lamp = pow(lampPerReading, Double(index))
            publisher.publish(
                .init(mean: RGB(color) * lamp), probes: probes.map { .init(mean: RGB($0.value) * lamp) },
                of: .init(sequence: UInt32(index), width: 64, height: 48, format: "RGB3", ageMs: 0, time: time),
                camera: .init(id: "a", name: "A"), state: .testPattern, captureRate: 30, dropped: 0, at: time)
        }
        return readings.value
    }

    private func scale(_ reading: Reading) throws -> Reading.OnScale { try #require(reading.scales.first) }

    @Test("a reading has the value of the region's colour, its interval and its distance")
    func value() throws {
        let found = try scale(reading(CIELab(lightness: 60, a: 0, b: 15)))
        #expect(try abs(#require(found.found?.value) - 6.5) < 1e-6)
        #expect(found.reason == nil)
        let json = String(decoding: JSONWriter.data(found), as: UTF8.self)
        #expect(
            json.hasPrefix(
                #"{"distance":0,"due":null,"high":6.5,"low":6.5,"name":"pH","range":"within","reason":null,"unit":"","value":6.5}"#
            ))
    }

    @Test("a scale of probes is measured anew, and that of another probe is read")
    func probes() throws {
        let named = NamedScale(
            name: "pH", values: [6, 7, 8], colors: .probes([["a"], ["b"], ["c"]]), probes: ["strip"])
        let found = try scale(
            reading(
                CIELab(lightness: 10, a: 0, b: 0), scale: named,
                probes: [
                    "a": Self.colors[0], "b": Self.colors[1], "c": Self.colors[2],
                    "strip": CIELab(lightness: 60, a: 0, b: 25),
                ]))
        #expect(try abs(#require(found.found?.value) - 7.5) < 1e-6)
    }

    @Test(
        "a lamp that changes refuses a value on typed colours, and none on colours in the same picture",
        arguments: [true, false])
    func lamp(isTyped: Bool) throws {
        let probes = NamedScale(name: "pH", values: [6, 7, 8], colors: .probes([["a"], ["b"], ["c"]]))
        let found = try scale(
            reading(
                CIELab(lightness: 60, a: 0, b: 15), scale: isTyped ? Self.pH : probes,
                probes: ["a": Self.colors[0], "b": Self.colors[1], "c": Self.colors[2]], lampPerReading: 0.99))
        if isTyped {
            #expect(try #require(found.reason).hasPrefix("The colour is changing"))
        } else {
            #expect(try abs(#require(found.found?.value) - 6.5) < 0.05)
        }
    }

    @Test("a scale whose probe is not there says so")
    func missing() throws {
        let named = NamedScale(name: "pH", values: [6, 7, 8], colors: .probes([["a"], ["b"], ["c"]]))
        #expect(try scale(reading(Self.colors[0], scale: named)).reason == #"There is no probe named "a"."#)
    }

    @Test("a reading that has expired has its scales, without a value")
    func expired() throws {
        var reading = try reading(Self.colors[0])
        reading.expiry = MonotonicTime(nanoseconds: 0)
        let found = try scale(reading.asOf(.now()))
        #expect(found.found == nil && found.name == "pH" && found.reason == "There is no colour.")
    }

    @Test("a scale of two pads reads two probes")
    func pads() throws {
        let named = NamedScale(
            name: "pH", values: [6, 7, 8], colors: .probes([["a1", "a2"], ["b1", "b2"], ["c1", "c2"]]),
            probes: ["first", "second"])
        let gray = CIELab(lightness: 40, a: 0, b: 0)
        let found = try scale(
            reading(
                gray, scale: named,
                probes: [
                    "a1": gray, "a2": Self.colors[0], "b1": gray, "b2": Self.colors[1], "c1": gray,
                    "c2": Self.colors[2], "first": gray, "second": CIELab(lightness: 60, a: 0, b: 25),
                ]))
        #expect(try abs(#require(found.found?.value) - 7.5) < 1e-6)
    }

    @Test("what a sample says of scales is read back as it was written")
    func stored() throws {
        let found = try scale(reading(CIELab(lightness: 60, a: 0, b: 15)))
        let text = JSONWriter.data(found)
        let again = try JSONDecoder().decode(Reading.OnScale.self, from: text)
        #expect(JSONWriter.data(again) == text)
        #expect(text == JSONWriter.data(found))
    }

    @Test("before the eighth reading there is no value")
    func few() throws {
        #expect(
            try scale(reading(Self.colors[0], count: 7)).reason == "There are 7 of the 8 readings that a value needs.")
    }

    @Test("a cell of the table is read back as it was written, without what is damaged")
    func cell() {
        let cells = [
            NamedValue.cell(Name("=p;H%|"), "6.5"), NamedValue.cell(Name("pH 2"), "-7"), "x=", "%zz=1", "=", "y=inf",
        ]
        let found = NamedValue.values(in: cells.joined(separator: ";"))
        #expect(found.map(\.name) == [Name("=p;H%|"), "pH 2"])
        #expect(found.map(\.value) == [6.5, -7])
        var summary = ReadingSummary(
            time: Date(timeIntervalSince1970: 0), count: 4, state: .live, mean: RGB(all: 1), lightness: 1)
        summary.setScales(cells.joined(separator: ";"))
        #expect(summary.scales.map(\.cell) == Array(cells.prefix(2)))
    }

    @Test("the table has the mean of the readings that have a value, and names that cannot be mistaken")
    func table() throws {
        let named = NamedScale(name: "=p;H", values: [6, 7, 8], colors: .known(Self.colors.map { .init([$0]) }))
        var (first, off) = (
            try reading(Self.colors[0], scale: named), try reading(.init(lightness: 5, a: 0, b: 0), scale: named)
        )
        first.time = Date(timeIntervalSince1970: 0)
        off.time = first.time
        let second = try reading(Self.colors[1], scale: named)
        var summary = try #require(ReadingSummary(first))
        for other in [off, second] { summary.add(try #require(ReadingSummary(other))) }
        #expect(ReadingCSV().line(summary, since: first.time).hasSuffix("\"%3Dp%3BH=6.5\"\r\n"))
    }
}
