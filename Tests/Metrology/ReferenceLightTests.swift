import Color
import Testing

@testable import Metrology

@Suite("The light of a reference")
struct ReferenceLightTests {
    private let reference = ReferenceLight(
        camera: "id", region: [0, 0, 1, 1], light: LinearRGB(r: 0.5, g: 0.4, b: 0.2))

    private func message(_ present: LinearRGB, clipped: ChannelFigures? = nil) -> String? {
        do throws(MeasurementRefusal) {
            _ = try reference.correction(for: present, clippedHigh: clipped)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("the factors turn the present light of the reference into that at the beginning")
    func factors() throws {
        let present = LinearRGB(r: 0.6, g: 0.4, b: 0.15)
        let factors = try reference.correction(for: present, clippedHigh: nil)
        let corrected = present.combined(with: factors, by: *)
        for (found, wanted) in zip(corrected.values, reference.light.values) { #expect(abs(found - wanted) < 1e-12) }
    }

    @Test(
        "a change of up to 30 % is corrected, in either direction",
        arguments: [(0.7, true), (1.3, true), (0.699, false), (1.301, false)])
    func limit(factor: Double, isCorrected: Bool) {
        #expect((message(reference.light.map { $0 * factor }) == nil) == isCorrected)
    }

    @Test("a greater change of one channel is refused with the channel, the change and what to do")
    func refusal() {
        #expect(
            message(LinearRGB(r: 0.5, g: 0.4, b: 0.1))
                == "The reference is 50 % darker in blue than when it was set, and more than 30 % is not corrected: "
                + "restore the light, or set the reference again.")
        #expect(message(LinearRGB(r: 0.7, g: 0.4, b: 0.2))?.contains("40 % brighter in red") == true)
    }

    @Test("a clipped or dark patch shows no change, and is refused")
    func unusable() {
        #expect(
            message(reference.light, clipped: ChannelFigures(r: 0, g: 0.002, b: 0))
                == "0.2 % of the reference's pixels are at the top of green: lower the exposure.")
        #expect(message(reference.light, clipped: ChannelFigures(r: 0, g: 0.001, b: 0)) == nil)
        #expect(message(LinearRGB(r: 0.5, g: 0.4, b: 0.009))?.hasPrefix("The reference is too dark in blue") == true)
    }
}
