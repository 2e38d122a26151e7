import Color
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing
import Untrusted

@testable import Handoff
@testable import Readings

@Suite("Readings relative to a reference")
struct ReferenceTests {
    private let readings = Latest(Reading.none)
    private let light = Latest(ReferenceLight?.none)
    private let clock = ManualClock()
    private let white = Probe(name: "White", region: Region(x: 0, y: 0, width: 0.1, height: 0.1), isReference: true)

    private func publisher(_ probe: Probe? = nil) -> ReadingPublisher {
        ReadingPublisher(
            settings: .init(probes: [probe ?? white]), readings: readings, reference: light, clocks: clock.clocks)
    }

    /// Publishes a reading in which the region and the reference have this light.
    private func publish(
        _ region: LinearRGB, reference: LinearRGB, camera: String = "id", isIndependent: Bool = true,
        by publisher: ReadingPublisher
    ) {
        clock.advance(by: 0.25)
        publisher.publish(
            .init(mean: RGB(region.map { 255 * SRGB.encoded($0) }), linear: region),
            probes: [.init(mean: RGB(reference.map { 255 * SRGB.encoded($0) }), linear: reference)],
            isIndependent: isIndependent,
            of: .init(sequence: 1, width: 4, height: 4, format: "GREY", ageMs: 0, time: clock.now),
            camera: Reading.Camera(id: camera, name: "name"), state: .live, captureRate: 15, dropped: 0,
            at: clock.now)
    }

    private let grey = LinearRGB(r: 0.4, g: 0.5, b: 0.6)
    private let leaf = LinearRGB(r: 0.1, g: 0.3, b: 0.05)

    @Test("the first eight readings of a reference are its light, and until then nothing is relative to it")
    func setting() {
        let publisher = publisher()
        for _ in 0..<7 { publish(leaf, reference: grey, by: publisher) }
        #expect(readings.value.relative == nil)
        #expect(
            readings.value.reference?.reason
                == "The reference is being set: 7 of 8 readings have come. Keep the light steady.")
        publish(leaf, reference: grey, isIndependent: false, by: publisher)
        #expect(light.value == nil)
        publish(leaf, reference: grey, by: publisher)
        #expect(light.value?.region == white.region.coordinates)
        #expect(readings.value.reference?.correction != nil)
    }

    @Test("afterwards, the light of the region and of each probe is given as it was in the first light")
    func relative() throws {
        let publisher = publisher()
        for _ in 0..<8 { publish(leaf, reference: grey, by: publisher) }
        publish(leaf.map { 0.8 * $0 }, reference: grey.map { 0.8 * $0 }, by: publisher)
        let relative = try #require(readings.value.relative)
        for (found, wanted) in zip(relative.values, leaf.values) { #expect(abs(found - wanted) < 1e-12) }
        let json = String(decoding: readings.value.json(withWholeProbes: true), as: UTF8.self)
        #expect(json.contains(##""reference":{"correction":{"b":1.25,"g":1.25,"r":1.25},"deltaE":"##))
        #expect(json.contains(##""region":[0,0,0.1,0.1],"relative":{"b":0.6,"g":0.5,"r":0.4}"##))
    }

    @Test("beyond 30 % nothing is relative to the reference, and the reading says why")
    func refusal() {
        let publisher = publisher()
        for _ in 0..<8 { publish(leaf, reference: grey, by: publisher) }
        publish(leaf, reference: grey.map { 0.6 * $0 }, by: publisher)
        #expect(readings.value.relative == nil)
        #expect(readings.value.reference?.reason?.hasPrefix("The reference is 40 % darker in red") == true)
        publish(leaf, reference: grey, by: publisher)
        #expect(readings.value.relative != nil)
    }

    @Test("a light that was stored is used, unless it is that of another camera or another region")
    func stored() {
        light.publish(ReferenceLight(camera: "id", region: white.region.coordinates, light: grey))
        publish(leaf, reference: grey.map { 0.9 * $0 }, by: publisher())
        #expect(readings.value.relative != nil)
        publish(leaf, reference: grey, camera: "other", by: publisher())
        #expect(readings.value.relative == nil)
        publish(leaf, reference: grey, by: publisher(Probe(name: "White", region: .full, isReference: true)))
        #expect(readings.value.relative == nil)
    }

    @Test("a disturbance while the reference is being set begins its eight readings again")
    func disturbance() {
        let publisher = publisher()
        for _ in 0..<7 { publish(leaf, reference: grey, by: publisher) }
        publisher.markDisturbance()
        publish(leaf, reference: grey, by: publisher)
        #expect(readings.value.reference?.reason?.contains("1 of 8") == true)
    }

    @Test("without a reference, or a colour, there is nothing to say about it")
    func none() {
        let without = publisher(Probe(name: "White", region: .full))
        publish(leaf, reference: grey, by: without)
        #expect(readings.value.reference == nil && readings.value.relative == nil)
        let publisher = publisher()
        for _ in 0..<8 { publish(leaf, reference: grey, by: publisher) }
        publisher.publish(.init(state: .lost, message: "It is gone."), camera: nil, at: clock.now)
        #expect(readings.value.reference == nil && readings.value.relative == nil)
    }

    @Test("a lamp that drifts by 30 % in either direction leaves less than ΔE00 0.3, with noise and 8-bit code values")
    func drift() throws {
        var random = SeededGenerator(seed: 7)
        /// The light that a camera reports of a patch of 300 pixels.
        func seen(_ light: LinearRGB) -> LinearRGB {
            light.map { value in
                let code = 255 * SRGB.encoded(value)
                let sum = (0..<300).reduce(0.0) { sum, _ in
                    // The noise is 2 code values.
                    let code = (code + 2 * random.normal()).rounded()
                    return sum + SRGB.linear(min(max(code, 0), 255) / 255)
                }
                return sum / 300
            }
        }
        let patches = [
            LinearRGB(r: 0.17, g: 0.08, b: 0.05), LinearRGB(r: 0.12, g: 0.2, b: 0.34),
            LinearRGB(r: 0.6, g: 0.18, b: 0.03),
        ]
        let white = LinearRGB(r: 0.65, g: 0.6, b: 0.55)
        for patch in patches {
            light.publish(nil)
            let publisher = publisher()
            for _ in 0..<8 { publish(seen(patch), reference: seen(white), by: publisher) }
            // The lamp changes its colour, too.
            for step in stride(from: -1.0, through: 1, by: 1) {
                let lamp = LinearRGB(r: 1 + 0.29 * step, g: 1 + 0.27 * step, b: 1 + 0.2 * step)
                let dimmed = (patch.combined(with: lamp, by: *), white.combined(with: lamp, by: *))
                var (sum, without) = (LinearRGB.zero, LinearRGB.zero)
                for _ in 0..<16 {
                    publish(seen(dimmed.0), reference: seen(dimmed.1), by: publisher)
                    sum = sum + (try #require(readings.value.relative))
                    without = without + (try #require(readings.value.linear))
                }
                #expect(CIEDE2000(CIELab(patch), CIELab(sum / 16)).total < 0.3)
                if abs(step) == 1 { #expect(CIEDE2000(CIELab(patch), CIELab(without / 16)).total > 2) }
            }
        }
    }
}
