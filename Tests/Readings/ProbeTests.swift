import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Handoff
@testable import Metrology
@testable import Readings
@testable import Untrusted

@Suite("The probes of a reading")
struct ProbeTests {
    private let readings = Latest(Reading.none)
    private let clock = ManualClock()
    private let left = Probe(name: "Left", region: Region(x: 0, y: 0, width: 0.5, height: 1))
    private let right = Probe(name: "Right", region: Region(x: 0.5, y: 0, width: 0.5, height: 1))
    private let grey = RGB(r: 120, g: 130, b: 140)

    private func publisher(_ probes: [Probe], targets: [ColorTarget] = []) -> ReadingPublisher {
        ReadingPublisher(
            settings: .init(targets: targets, probes: probes), readings: readings, clocks: clock.clocks)
    }

    /// Publishes readings a quarter of a second apart, which scatter by half a code value.
    private func publish(_ colors: [RGB], times count: Int = 1, by publisher: ReadingPublisher) {
        for index in 0..<count {
            clock.advance(by: 0.25)
            let noise = [0.5, -0.3, 0.2, -0.5, 0.4, -0.2, 0.1, -0.2][index % 8]
            publisher.publish(
                .init(mean: grey),
                probes: colors.map { color in
                    let mean = RGB(r: color.r + noise, g: color.g - noise, b: color.b + noise)
                    return Reading.Measurement(mean: mean, linear: LinearRGB(mean))
                },
                of: .init(sequence: 1, width: 4, height: 4, format: "GREY", ageMs: 0, time: clock.now),
                camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 0,
                at: clock.now)
        }
    }

    @Test("a reading has the colours of the probes, in the order of the settings")
    func colors() {
        publish([RGB(r: 255, g: 0, b: 0), grey], by: publisher([left, right]))
        #expect(readings.value.probes.map(\.probe) == [left, right])
        #expect(readings.value.probes.map(\.hex) == ["#FF0001", "#79828D"])
    }

    @Test("each probe has its own noise, once there are eight readings")
    func noise() {
        let publisher = publisher([left, right])
        publish([grey, RGB(r: 20, g: 200, b: 20)], times: 7, by: publisher)
        #expect(readings.value.probes.allSatisfy { $0.noise == nil })
        publish([grey, RGB(r: 20, g: 200, b: 20)], by: publisher)
        let noise = readings.value.probes.map { $0.noise?.deltaE ?? 0 }
        #expect(noise.allSatisfy { 0.05...1 ~= $0 })
        #expect(noise[0] != noise[1])
    }

    @Test("a probe that is added or moved leaves the statistics of the others and of the reading as they are")
    func change() {
        let publisher = publisher([left])
        publish([grey], times: 8, by: publisher)
        publisher.settings.probes = [right, left]
        publish([grey, grey], by: publisher)
        #expect(readings.value.stability.noise != nil)
        #expect(readings.value.probes.map { $0.noise == nil } == [true, false])
    }

    @Test("a probe that is renamed keeps its statistics")
    func name() {
        let publisher = publisher([left])
        publish([grey], times: 8, by: publisher)
        publisher.settings.probes = [Probe(name: "Other", region: left.region)]
        publish([grey], by: publisher)
        #expect(readings.value.probes.first?.noise != nil)
    }

    @Test("a disturbance restarts the statistics of the probes")
    func disturbance() {
        let publisher = publisher([left])
        publish([grey], times: 8, by: publisher)
        publisher.markDisturbance()
        publish([grey], by: publisher)
        #expect(readings.value.probes.first?.noise == nil)
    }

    @Test("each probe is compared with the targets")
    func targets() {
        let target = ColorTarget(name: "Grey", color: CIELab(grey))
        publish([grey, RGB(r: 20, g: 200, b: 20)], times: 8, by: publisher([left, right], targets: [target]))
        #expect(readings.value.probes.map(\.judgement.entries.outcome) == [.pass, .fail])
        #expect(readings.value.probes.map(\.judgement.matchName) == ["Grey", nil])
    }

    @Test("without a colour, the probes are named, and everything else about them is null")
    func unavailable() throws {
        let publisher = publisher([left])
        publish([grey], by: publisher)
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: clock.now)
        let probe = try #require(readings.value.probes.first)
        #expect(probe.hex == nil)
        #expect(
            String(
                decoding: JSONWriter.data(Reading.ProbeColor.Whole(color: probe, reading: readings.value)),
                as: UTF8.self)
                == #"{"absorbance":null,"calibrated":null,"color":null,"concentration":null,"entered":null,"hex":null,"light":null,"lightState":null,"linear":null,"match":null,"mean":null,"name":"Left","noise":null,"#
                + #""quality":null,"reference":false,"region":[0,0,0.5,1],"relative":null,"rgb":null,"shape":"rectangle","since":null,"state":null,"statistics":null,"targets":[],"#
                + #""unique":null,"verdict":null}"#)
    }

    @Test("a reading's JSON has the names, colours and verdicts of the probes, and everything on request")
    func json() throws {
        publish([RGB(r: 255, g: 0, b: 0)], by: publisher([left]))
        let reading = readings.value
        let short = String(decoding: reading.json(), as: UTF8.self)
        #expect(
            short.contains(
                ##""probes":[{"hex":"#FF0001","lightHz":null,"lightState":null,"name":"Left","state":null,"verdict":null}],"quality""##
            ))
        let whole = String(decoding: reading.json(withWholeProbes: true), as: UTF8.self)
        let probe = String(
            decoding: JSONWriter.data(Reading.ProbeColor.Whole(color: reading.probes[0], reading: reading)),
            as: UTF8.self)
        #expect(whole.contains(#""probes":[\#(probe)],"quality""#))
        #expect(probe.contains(#""rgb":{"b":1,"g":0,"r":255}"#))
        #expect(probe.contains(#""css":"red""#))
    }

    @Test("the colour of a glow is its light, encoded by the curve of sRGB")
    func glow() {
        let light = LightState(on: true, level: 0.3, glow: LinearRGB(r: 0.5, g: 0.2159, b: 1))
        let json = String(decoding: JSONWriter.data(light), as: UTF8.self)
        #expect(json.contains(##""hex":"#BC80FF""##))
    }

    @Test("verdicts taken together are a pass if one is, a fail if all are, and too close to call otherwise")
    func outcome() {
        let good = Quality(flags: [])
        let (near, far) = (RGB(r: 125, g: 130, b: 140), RGB(r: 255, g: 0, b: 0))
        func outcome(_ targets: [RGB], readings count: Int = 8) -> Verdict.Outcome? {
            var series = NewestReadings()
            for index in 0..<count {
                let value = 0.3 * Double(index % 3 - 1)
                series.add(
                    RGB(r: 120 + value, g: 130 - value, b: 140 + value),
                    at: MonotonicTime(nanoseconds: Int64(index) * 250_000_000))
            }
            let targets = targets.map { color in
                // The true difference of the near target is its tolerance.
                let isNear = color == near
                let limit = isNear ? CIEDE2000(CIELab(grey), CIELab(near)).total : 2
                return ColorTarget(name: "\(color)", color: CIELab(color), tolerance: Tolerance(deltaE: limit))
            }
            return series.judgement(against: targets, good).entries.outcome
        }
        #expect(outcome([far, grey]) == .pass)
        #expect(outcome([far, far]) == .fail)
        #expect(outcome([grey], readings: 7) == nil)
        #expect(outcome([]) == nil)
        #expect(outcome([near, far]) == .close)
    }
}
