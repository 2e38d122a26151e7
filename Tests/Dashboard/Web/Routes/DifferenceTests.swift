import FlyingFox
import Foundation
import Handoff
import Testing

@testable import Dashboard

@Suite("The difference of two colours")
struct DifferenceTests: RouteTests {
    let app: WebApp

    init() throws {
        app = try WebApp.sample(.sample())
    }

    private func difference(_ query: String) async throws -> String { try await text(get("/api/difference?\(query)")) }

    @Test("the response has both differences and the parts of the newer one, to four decimals")
    func document() async throws {
        // The first pair of Sharma, Wu and Dalal, table 1.
        #expect(
            try await difference("from=lab(50%202.6772%20-79.7751)&to=lab(50%200%20-82.7485)")
                == #"{"deltaE00":2.0425,"deltaE76":4.0011,"parts":{"chroma":2.9285,"hue":-2.7264,"lightness":0},"#
                + #""words":{"chroma":"more vivid","hue":"bluer","lightness":null}}"#)
    }

    @Test("no difference is 0, never -0")
    func zero() async throws {
        #expect(
            try await difference("from=%233fa7d6&to=rgb(63,167,214)")
                == #"{"deltaE00":0,"deltaE76":0,"parts":{"chroma":0,"hue":0,"lightness":0},"#
                + #""words":{"chroma":null,"hue":null,"lightness":null}}"#)
    }

    @Test(
        "a difference of hue is named after the hue towards which it leads",
        arguments: [
            (30, 60, "yellower"), (60, 30, "redder"), (100, 150, "greener"), (150, 100, "yellower"),
            (200, 250, "bluer"), (250, 200, "greener"), (290, 340, "redder"), (340, 290, "bluer"),
            (340, 350, "redder"), (60, 120, "yellower"), (60, 254, "bluer"), (254, 60, "yellower"),
            (10, 190, "greener"),
        ])
    func hue(from: Int, to: Int, word: String) async throws {
        let text = try await difference("from=lch(50%2040%20\(from))&to=lch(50%2040%20\(to))")
        #expect(text.contains(#""hue":"\#(word)""#))
    }

    @Test(
        "a colour is accepted in every notation, with its spaces written in either way",
        arguments: [
            "red", "%23F00", "%23ff0000", "rgb(255+0+0)", "rgb(255%200%200)", "hsl(0+100%25+50%25)",
            "hwb(0%200%25%200%25)",
            "lab(54.29+80.8+69.89)", "lch(54.29+106.84+40.86)", "oklab(0.628+%2B0.225+0.126)",
            "oklch(62.8%25%200.258%2029.23)", "rgb(2.55e%2B2+0+0+/+1)", "rgba(255,+0,+0,+1)", "%23F00F",
            "color(srgb+1+0+0)", "color(srgb+100%25+-0+0+/+100%25)", "hsla(1turn+100%25+50%25)",
        ])
    func notations(color: String) async throws {
        let json = try await json(get("/api/difference?from=%23ff0000&to=\(color)"))
        #expect(try #require(json["deltaE00"] as? Double) < 0.1)
    }

    @Test(
        "an error says which colour is wrong, and why",
        arguments: [
            ("", "Name two colours"), ("from=red", "Name two colours"), ("to=red", "Name two colours"),
            ("from=red&to", "to: The colour is empty."),
            ("from=red&to=", "to: The colour is empty."),
            ("from=rgb(1+2)&to=red", "from: rgb() needs three numbers, not 2."),
            ("from=red&to=rgb(0+0+0+/+50%25)", "to: This colour is not opaque"),
            ("from=red&to=r%C3%A9d", "to: The colour contains characters that no notation has."),
            ("from=red&to=red%00", "to: The colour contains characters that no notation has."),
            ("from=red&to=%ff", "to: The colour is empty."),
        ])
    func errors(query: String, message: String) async throws {
        let response = await get("/api/difference?" + query)
        #expect(try await refusal(response) == "400 bad-color")
        #expect(try await error(in: response)["message"]?.hasPrefix(message) == true)
    }
}
