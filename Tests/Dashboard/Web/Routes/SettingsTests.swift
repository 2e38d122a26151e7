import FlyingFox
import Foundation
import Pixels
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

/// Tests of the settings that may change while the program runs.
@Suite("Settings")
struct SettingsTests: RouteTests {
    private var config: Latest<Settings> { shared.config }
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    private func put(_ body: String, type: String = "application/json") async -> HTTPResponse {
        await send(.PUT, "/api/settings", body, headers: ["Content-Type": type])
    }

    @Test("the settings are shown with the list of effects")
    func show() async throws {
        let json = try await json(get("/api/settings"))
        #expect(json["effect"] as? String == "none")
        #expect(json["region"] as? [Double] == [0, 0, 1, 1])
        #expect((json["effects"] as? [Any])?.count == 10)
    }

    @Test("a change affects only the settings that it names")
    func change() async {
        #expect(await put(#"{"effect": "edges"}"#).statusCode == .ok)
        #expect(await put(#"{"region": [0.25, 0, 0.5, 1]}"#, type: "application/json; charset=utf-8").statusCode == .ok)
        #expect(config.value.effective.picture.effect == "edges")
        #expect(config.value.effective.readings.region.coordinates == [0.25, 0, 0.5, 1])
    }

    @Test(
        "a change with any mistake changes nothing",
        arguments: [
            (#"{"effect": "edges", "region": [0, 0, 2, 1]}"#, "region: width: 2 is out of range 0...1"),
            (#"{"effect": "egdes"}"#, #"effect: "egdes" is not an effect; did you mean "edges"?"#),
            (
                #"{"effect": "edges", "colour": 1}"#,
                "colour: unknown setting; the settings are effect, probes, rate, region, scales and targets"
            ),
            (#"{"effect": 7}"#, "effect: 7 is a whole number; "), ("[]", "a JSON object"), ("{", "a JSON object"),
            ("", "a JSON object"), (#"{"region": null}"#, "a JSON object"),
        ])
    func bad(body: String, problem: String) async throws {
        let response = await put(body)
        #expect(response.statusCode == .badRequest)
        #expect(try await error(in: response)["message"]?.contains(problem) == true)
        #expect(config.value.effective == Config())
    }

    @Test("the answer has every mistake, on a line of its own")
    func everyMistake() async throws {
        let red = ##"{"name": "Red", "color": "#C8102E80", "hue": 0}"##
        let response = await put(#"{"effect": "egdes", "rate": 0, "targets": [\#(red), {"name": "Sky"}]}"#)
        #expect(
            try await error(in: response)["message"]?.split(separator: "\n") == [
                #"effect: "egdes" is not an effect; did you mean "edges"?"#, "rate: 0 is out of range 0.1...60",
                ##"targets: "Sky" needs a color, as a string such as "#C8102E""##,
                #"targets: the color of "Red": This colour is not opaque, so it cannot be compared: its alpha must be 1."#,
                #"targets: the hue of "Red": 0 is out of range 0.1...100"#,
            ])
    }

    @Test("a change may have 65,536 bytes, and no more", arguments: [(65_536, 200), (65_537, 413)])
    func length(count: Int, status: Int) async {
        let change = #"{"effect": "edges"}"#
        let body = change + String(repeating: " ", count: count - change.utf8.count)
        #expect(await put(body).statusCode.code == status)
    }

    @Test("settings are accepted only as JSON")
    func type() async {
        #expect(
            await put("effect=edges", type: "application/x-www-form-urlencoded").statusCode == .unsupportedMediaType)
    }
}
