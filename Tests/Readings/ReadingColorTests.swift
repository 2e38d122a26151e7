import Color
import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("The colour of a reading in other notations")
struct ReadingColorTests {
    @Test("the notations and the name are computed from the unrounded mean")
    func mean() throws {
        let color = try #require(Reading.sample.with { $0.mean = .init(r: 62.51, g: 167.49, b: 213.51) }.color)
        #expect(color.css.lab == "lab(64.2 -19.8 -32.8)")
        #expect(color.css.hsl == "hsl(198.3 64.5% 54.1%)")
    }

    @Test("a reading without a colour has no notation")
    func none() {
        #expect(Reading.noCamera.color == nil)
    }

    @Test("the name is the nearest of CSS and a plain description")
    func name() throws {
        let name = try #require(Reading.sample.with { $0.mean = .init(r: 73, g: 62, b: 139) }.color?.name)
        #expect(name.css == "darkslateblue")
        #expect(name.deltaE > 0 && name.deltaE < 1)
        #expect(name.plain == "purple")
    }

    @Test("black has no chromaticity, and its JSON says so")
    func black() throws {
        let reading = Reading.sample.with { $0.mean = .init(r: 0, g: 0, b: 0) }
        let json = String(decoding: reading.json(), as: UTF8.self)
        #expect(json.contains(#""xy":null,"xyz":{"x":0,"y":0,"z":0}"#))
        #expect(json.contains(#""name":{"css":"black","deltaE":0,"plain":"black"}"#))
    }

    @Test("a grey has no hue, as a number or in CSS", arguments: [0, 1, 77, 128, 255])
    func grey(value: Double) {
        let json = String(decoding: Reading.sample.with { $0.mean = RGB(all: value) }.json(), as: UTF8.self)
        #expect(json.split(separator: #""h":null"#).count == 5)
        #expect(json.split(separator: "none ").count + json.split(separator: " none)").count == 6)
    }

    @Test("a hue just below 360 degrees is written as 0")
    func fullTurn() {
        let reading = Reading.sample.with { $0.mean = RGB(r: 255, g: 0, b: 0.00001) }
        #expect(String(decoding: reading.json(), as: UTF8.self).contains(#""hsl":{"h":0,"l":50,"s":100}"#))
    }

    @Test("a difference from the nearest name is written to a tenth")
    func decimals() {
        #expect(String(decoding: Reading.sample.json(), as: UTF8.self).contains(#""deltaE":7.2,"#))
    }

    @Test("a nearly white colour has a colour temperature, in whole kelvins")
    func temperature() {
        let json = String(
            decoding: Reading.sample.with { $0.mean = .init(r: 200, g: 200, b: 200) }.json(), as: UTF8.self)
        #expect(json.contains(#""cct":6505,"css":"#))
    }

    @Test(
        "a colour that is clipped, out of gamut or dark has no colour temperature",
        arguments: Quality.Flag.Code.allCases)
    func distorted(code: Quality.Flag.Code) {
        let reading = Reading.sample.with {
            $0.mean = .init(r: 200, g: 200, b: 200)
            $0.quality = Quality(flags: [.init(code, value: 1, message: "")])
        }
        let isDistorted = [.clippedHigh, .clippedLow, .outOfGamut, .dark].contains(code)
        #expect((reading.color?.temperature == nil) == isDistorted)
    }
}
