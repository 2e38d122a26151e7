import Color
import FlyingFox
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage
@testable import Untrusted

@Suite("The routes of targets", .timeLimit(.minutes(20)))
struct TargetRoutesTests: RouteTests {
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    private var names: [String] { shared.config.value.effective.targets.map(\.name.text) }

    @Test("a target is set, replaced at its place, shown and deleted")
    func target() async throws {
        let created = await send(.PUT, "/api/targets/Brand%20red", ##"{"color": "#C8102E", "tolerance": 1.5}"##)
        #expect(created.statusCode == .created)
        #expect(try await json(created) == ["name": "Brand red", "color": "#C8102E", "tolerance": 1.5])
        #expect(await send(.PUT, "/api/targets/Sky", #"{"color": "skyblue"}"#).statusCode == .created)
        #expect(await send(.PUT, "/api/targets/Brand%20red", #"{"color": "red", "hue": 1}"#).statusCode == .ok)
        #expect(names == ["Brand red", "Sky"])
        let shown = try await json(await send(.GET, "/api/targets/Brand%20red"))
        #expect(shown == ["name": "Brand red", "color": "red", "tolerance": 2, "hue": 1])
        let list = try await json(await send(.GET, "/api/targets"))
        #expect((list["targets"] as? [NSDictionary])?.map { $0["name"] as? String } == ["Brand red", "Sky"])
        #expect(try await json(await send(.DELETE, "/api/targets/Brand%20red")) == shown)
        #expect(names == ["Sky"])
        #expect(shared.config.value.clientChanges?.names == "targets")
    }

    @Test("a target can take the colour of the newest reading, or of a sample")
    func colors() async throws {
        shared.readings.update { $0.state = .live }
        let present = try await json(await send(.PUT, "/api/targets/Now", "{}"))
        #expect(present["color"] as? String == "lab(64.1209 -19.4763 -33.1508)")
        let id = try await addSample(255)
        let white = try await json(await send(.PUT, "/api/targets/White", #"{"sample": \#(id)}"#))
        #expect((white["color"] as? String)?.hasPrefix("lab(100 ") == true)
    }

    @Test(
        "an invalid target, name, lesson or request for a verdict is refused, and changes and measures nothing",
        arguments: [
            (
                "targets/x",
                [
                    ##"{"color": "#12"}"##, #"{"color": 7}"#, #"{"color": "red", "tolerance": 0}"#, "[]", "{",
                    #"{"color": "red", "x": 1}"#, #"{"color": "red", "sample": 1}"#, #"{"color": "red", "name": "y"}"#,
                    #"{"color": "red", "hue": null}"#,
                ], "400 bad-target"
            ),
            ("targets/%0A", [#"{"color": "red"}"#], "400 bad-target"),
            ("targets/%20", [#"{"color": "red"}"#], "400 bad-target"),
            ("targets/%FF", [#"{"color": "red"}"#], "400 bad-target"),
            ("targets/%ZZ", [#"{"color": "red"}"#], "400 bad-target"),
            ("targets/\(String(repeating: "x", count: 61))", [#"{"color": "red"}"#], "400 bad-target"),
            ("targets/x", [#"{"sample": 99}"#, #"{"sample": "1"}"#], "404 sample-not-found"),
            (
                "teach-in",
                [
                    "{}", #"{"good": [1, 2, 3, 4]}"#, #"{"good": [1, 2, 3, 4, 4]}"#,
                    #"{"good": [1, 2, 3, 4, 5], "bad": [5]}"#, #"{"good": [1, 2, 3, 4, 5], "x": 1}"#, #"{"good": "1"}"#,
                    "[]",
                ], "400 bad-teach-in"
            ),
            ("teach-in", [#"{"good": [1, 2, 3, 4, 5]}"#], "404 sample-not-found"),
            (
                "verdict",
                [
                    #"{"readings": 7}"#, #"{"readings": 257}"#, #"{"readings": "8"}"#, #"{"reading": 8}"#, "[]",
                ], "400 bad-verdict"
            ),
            // There is no target.
            ("verdict", ["{}"], "409 no-targets"),
        ] as [(String, [String], String)])
    func refused(path: String, bodies: [String], expected: String) async throws {
        let method = path.hasPrefix("targets") ? HTTPMethod.PUT : .POST
        for body in bodies { #expect(try await refusal(send(method, "/api/" + path, body)) == expected, "\(body)") }
        for method in [HTTPMethod.GET, .DELETE] {
            #expect(try await refusal(send(method, "/api/targets/x")) == "404 target-not-found")
        }
        #expect(names.isEmpty && !shared.demand.isWatching)
    }

    @Test("the answer about an invalid target has every mistake")
    func everyMistake() async throws {
        let response = await send(.PUT, "/api/targets/x", #"{"color": "reddish", "tolerance": 0, "size": 1}"#)
        #expect(
            try await error(in: response)["message"]?.split(separator: "\n").map { $0.prefix(30) } == [
                #"unknown key "size"; a target h"#, #"the color of "x": CSS has no c"#,
                #"the tolerance of "x": 0 is out"#,
            ])
    }

    @Test("without a colour, there is no present colour to take")
    func noColor() async throws {
        shared.readings.publish(.noCamera)
        #expect(try await code(await send(.PUT, "/api/targets/x", "{}")) == "no-camera")
    }

    @Test("the counters of parts are shown for every target, and begin again at a reset")
    func counts() async throws {
        _ = await send(.PUT, "/api/targets/Grey", ##"{"color": "#78828C"}"##)
        _ = await send(.PUT, "/api/targets/New", ##"{"color": "#78828C", "tolerance": 1}"##)
        let grey = try #require(shared.config.value.effective.targets.first).colorTarget
        let judgement = Reading.Judgement(of: .init(repeating: grey.color, count: 8), against: [grey]) { _ in nil }
        shared.parts.update { $0.add(judgement, hold: 0, at: MonotonicTime(nanoseconds: 0)) }
        let none: NSDictionary = ["pass": 0, "fail": 0, "close": 0]
        let counted = try await json(await send(.GET, "/api/counts"))
        let targets = try #require(counted["targets"] as? [NSDictionary])
        #expect(
            targets == [
                ["name": "Grey", "counts": ["pass": 1, "fail": 0, "close": 0]], ["name": "New", "counts": none],
            ])
        #expect(counted["none"] as? Int == 0)
        #expect(try await json(await send(.DELETE, "/api/counts")) == counted)
        let after = try await json(await send(.GET, "/api/counts"))
        #expect((after["targets"] as? [NSDictionary])?.map { $0["counts"] as? NSDictionary } == [none, none])
    }

    private func addSample(_ value: Double, _ flag: (code: String, value: Double)? = nil) async throws -> Int {
        let quality = flag.map {
            Sample.Quality(grade: "poor", flags: [.init(code: $0.code, value: $0.value, message: "x")])
        }
        let sample = await shared.samples.add { id in
            Sample(
                id: id, name: "x", time: Date(), state: .live, readings: 1, mean: RGB(r: value, g: value, b: value),
                quality: quality, region: .full)
        }
        return try #require(sample).id
    }

    @Test("samples of good and bad parts teach a target, which says which of the bad ones would pass")
    func teachIn() async throws {
        var good: [Int] = []
        for value in [118.0, 119, 120, 121, 122] { good.append(try await addSample(value)) }
        let bad = [try await addSample(120.5), try await addSample(10)]
        let lesson = try await json(await send(.POST, "/api/teach-in", #"{"good": \#(good), "bad": \#(bad)}"#))
        #expect(lesson["hex"] as? String == "#787878")
        #expect(lesson["passingBad"] as? [Int] == [bad[0]])
        #expect((lesson["description"] as? String)?.hasPrefix("Covers 99 % of such parts") == true)
        let tolerance = try #require(lesson["tolerance"] as? NSDictionary)
        #expect((tolerance["deltaE"] as? Double ?? 0) > 0.5)
        #expect(tolerance["lightness"] is NSNull)
        #expect(lesson["warnings"] as? [String] == [])
        let own = try await json(await send(.POST, "/api/teach-in", #"{"good": \#(good), "components": true}"#))
        #expect((own["tolerance"] as? NSDictionary)?["lightness"] is Double)
        let color = try #require(lesson["color"] as? String)
        #expect(await send(.PUT, "/api/targets/Taught", #"{"color": "\#(color)"}"#).statusCode == .created)
    }

    @Test("a clipped sample cannot teach what is good, and is named", arguments: ["clipped-high", "clipped-low"])
    func clipped(code flag: String) async throws {
        var good: [Int] = []
        for value in [118.0, 119, 120, 121] { good.append(try await addSample(value)) }
        good.append(try await addSample(255, (flag, 0.01)))
        let response = await send(.POST, "/api/teach-in", #"{"good": \#(good)}"#)
        #expect(try await refusal(response) == "409 sample-clipped")
        let message = try #require(try await error(in: response)["message"])
        #expect(message.hasPrefix(#"The colour is clipped in sample \#(good[4]) ("x"), which cannot teach: "#))
    }

    @Test("samples that are in doubt teach with a warning, which names five of them at most")
    func warnings() async throws {
        var good: [Int] = []
        for value in [118.0, 119, 120, 121, 122] { good.append(try await addSample(value, ("unsettled", 1))) }
        good.append(try await addSample(120, ("settling", 1)))
        good.append(try await addSample(120, ("clipped-low", 0.0099)))
        good.append(try await addSample(120, ("automatic", 3)))
        let bad = [try await addSample(255, ("clipped-high", 1))]
        let lesson = try await json(await send(.POST, "/api/teach-in", #"{"good": \#(good), "bad": \#(bad)}"#))
        let named = good.prefix(5).map { #"sample \#($0) ("x")"# }.joined(separator: ", ")
        let warnings = try #require(lesson["warnings"] as? [String])
        #expect(warnings.count == 2)
        #expect(warnings.first?.hasPrefix("The colour was not steady in \(named) and 1 more, so ") == true)
        let distorted = #"in sample \#(good[6]) ("x") and sample \#(bad[0]) ("x"), so "#
        #expect(warnings.last?.contains(distorted) == true)
    }

    @Test("there are at most 64 targets, and those may still be replaced")
    func full() async throws {
        for number in 1...64 {
            #expect(await send(.PUT, "/api/targets/\(number)", #"{"color": "red"}"#).statusCode == .created)
        }
        #expect(try await refusal(send(.PUT, "/api/targets/65", #"{"color": "red"}"#)) == "409 targets-full")
        #expect(await send(.PUT, "/api/targets/64", #"{"color": "blue"}"#).statusCode == .ok)
    }

    @Test("a verdict compares new readings with every target")
    func verdict() async throws {
        _ = await send(.PUT, "/api/targets/Red", #"{"color": "red"}"#)
        _ = await send(.PUT, "/api/targets/Sky", ##"{"color": "#3FA7D6", "tolerance": 1}"##)
        shared.readings.update { $0.state = .live }
        let verdicts = try await json(measure(.POST, "/api/verdict", #"{"readings": 8}"#))
        #expect(verdicts["match"] as? String == "Sky")
        #expect(verdicts["unique"] as? Bool == true)
        #expect(verdicts["readings"] as? Int == 8)
        #expect(verdicts["hex"] as? String == "#3FA7D6")
        let targets = try #require(verdicts["targets"] as? [NSDictionary])
        #expect(targets.map { $0["verdict"] as? String } == ["fail", "pass"])
    }
}
