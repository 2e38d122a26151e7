import Color
import FlyingFox
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage

@Suite("The routes of absorbance", .timeLimit(.minutes(20)))
struct AbsorbanceRoutesTests: RouteTests {
    let app: WebApp

    init() throws {
        app = try WebApp.sample(.sample())
        shared.readings.update { $0.state = .testPattern }
    }

    /// Sends a request that measures an evenly lit region.
    private func measure(
        _ path: String, _ body: String = "{}", light: Double = 0.8, clipped: Double = 0,
        _ change: (SharedState) -> Void = { _ in }
    ) async -> HTTPResponse {
        await measure(
            .PUT, path, body,
            color: {
                $0.linear = LinearRGB(all: light)
                $0.statistics?.clippedHigh = ChannelFigures(all: clipped)
            }, change)
    }

    private func message(_ response: HTTPResponse) async throws -> String? { try await error(in: response)["message"] }

    private func addStandards() async throws {
        _ = await measure("/api/absorbance/blank")
        for (index, value) in [0.0005, 0.0995, 0.2005, 0.2995].enumerated() {
            let figure = #"{"r": \#(value), "g": null, "b": null, "standardError": {"r": 0.001, "g": null, "b": null}}"#
            let body = #"{"concentration": \#(index), "absorbance": \#(figure)}"#
            #expect(await send(.PUT, "/api/absorbance/standards/S\(index)", body).statusCode == .created)
        }
    }

    @Test(
        "at first, there is nothing; a blank and a dark are measured, shown and removed, and each changes the revision")
    func lights() async throws {
        let empty = try await json(get("/api/absorbance"))
        #expect(empty["blank"] is NSNull && empty["dark"] is NSNull && empty["curve"] is NSNull)
        #expect(empty["inForce"] as? Bool == false && empty["because"] is NSNull)
        #expect(empty["standards"] as? [NSDictionary] == [])
        let blank = try await json(await measure("/api/absorbance/blank", #"{"readings": 9}"#))
        let light = try #require(blank["blank"] as? NSDictionary)
        #expect(light["readings"] as? Int == 9 && light["everywhere"] as? Bool == false)
        #expect(abs(try #require((light["light"] as? NSDictionary)?["g"] as? Double) - 0.8) < 1e-9)
        #expect(blank["inForce"] as? Bool == true)
        let dark = try await json(await measure("/api/absorbance/dark", light: 0.01))
        #expect((dark["dark"] as? NSDictionary)?["readings"] as? Int == 16)
        #expect(shared.revisions.value.absorbance == 2)
        #expect(try await json(await send(.DELETE, "/api/absorbance/dark"))["dark"] is NSNull)
        #expect(try await json(await send(.DELETE, "/api/absorbance/blank"))["blank"] is NSNull)
        #expect(shared.absorbance.latest.value == nil)
    }

    @Test("a blank that is clipped in every channel is refused with the reason, and changes nothing")
    func clipped() async throws {
        let response = await measure("/api/absorbance/blank", clipped: 0.2)
        #expect(try await refusal(response) == "409 absorbance-refused")
        #expect(try await message(response)?.hasPrefix("20 % of the blank's pixels are at the top of red") == true)
        #expect(shared.absorbance.latest.value == nil)
    }

    @Test(
        "a camera that is lost, or a setting that changes, ends the measurement of a blank, and nothing is set",
        arguments: [
            { $0.config.update { $0.effective.readings.average = .linear } },
            { $0.readings.update { $0.state = .lost } },
        ] as [@Sendable (SharedState) -> Void])
    func interrupted(change: @escaping @Sendable (SharedState) -> Void) async throws {
        let response = await measure("/api/absorbance/blank", "{}", change)
        #expect(try await code(response) == "sample-interrupted")
        #expect(shared.absorbance.latest.value == nil)
    }

    @Test("a standard is measured against the blank, replaced under its name and deleted")
    func standards() async throws {
        _ = await measure("/api/absorbance/blank")
        let path = "/api/absorbance/standards/2%20mg%2FL"
        let created = await measure(path, #"{"concentration": 2}"#, light: 0.08)
        #expect(created.statusCode == .created)
        let standard = try #require((try await json(created)["standards"] as? [NSDictionary])?.first)
        #expect(standard["name"] as? String == "2 mg/L" && standard["concentration"] as? Double == 2)
        #expect(abs(try #require((standard["absorbance"] as? NSDictionary)?["g"] as? Double) - 1) < 1e-9)
        #expect(await measure(path, #"{"concentration": 3}"#, light: 0.08).statusCode == .ok)
        let deleted = try await json(await send(.DELETE, path))
        #expect(deleted["concentration"] as? Double == 3)
        #expect(try await code(await send(.DELETE, path)) == "standard-not-found")
    }

    @Test("standards make a curve with residuals, R², a limit of detection and the channel")
    func curve() async throws {
        try await addStandards()
        let document = try await json(await send(.GET, "/api/absorbance"))
        let curve = try #require(document["curve"] as? NSDictionary)
        #expect(curve["channel"] as? String == "red")
        #expect(abs(try #require(curve["slope"] as? Double) - 0.1) < 1e-3)
        #expect(try #require(curve["rSquared"] as? Double) > 0.9999)
        let limit = try #require(curve["detectionLimit"] as? NSDictionary)
        #expect(limit["fromBlanks"] as? Bool == false)
        let residuals = try #require(document["standards"] as? [NSDictionary]).map { $0["residual"] as? Double ?? 1 }
        #expect(residuals.allSatisfy { abs($0) < 1e-3 } && abs(residuals.reduce(0, +)) < 1e-9)
        #expect(document["reason"] is NSNull)
        _ = await send(.DELETE, "/api/absorbance/standards/S0")
        #expect(
            try await json(get("/api/absorbance"))["reason"] as? String
                == "One of the standards has to be a blank, of 0.")
    }

    @Test("a unit and a channel are set, and everything is removed at once")
    func change() async throws {
        try await addStandards()
        let changed = try await json(
            await send(.PUT, "/api/absorbance", #"{"unit": " mg/L ", "channel": "green"}"#))
        #expect(changed["unit"] as? String == "mg/L" && changed["channel"] as? String == "green")
        #expect(changed["reason"] as? String == "No channel has an absorbance at 3 levels, the blank among them.")
        let best = try await json(await send(.PUT, "/api/absorbance", #"{"channel": "best"}"#))
        #expect(best["unit"] as? String == "mg/L" && best["channel"] is NSNull)
        let removed = try await json(await send(.DELETE, "/api/absorbance"))
        #expect((removed["standards"] as? [NSDictionary])?.count == 4)
        #expect(shared.absorbance.latest.value == nil)
    }

    @Test("a standard without a blank, an unknown probe, and a sample as dark as the dark, are refused with the reason")
    func refused() async throws {
        let response = await send(.PUT, "/api/absorbance/standards/A", #"{"concentration": 1}"#)
        #expect(response.statusCode == .conflict)
        #expect(try await message(response) == "Set the blank first, with PUT /api/absorbance/blank.")
        _ = await measure("/api/absorbance/blank")
        let probe = await measure("/api/absorbance/standards/A", #"{"concentration": 1, "probe": "Z9"}"#)
        #expect(try await message(probe) == "There is no probe of this name. /api/probes lists them.")
        let dark = await measure("/api/absorbance/standards/A", #"{"concentration": 1}"#, light: 0)
        #expect(try await message(dark)?.hasPrefix("The sample is no brighter than the dark in red") == true)
        #expect(shared.absorbance.latest.value?.standards == [])
    }

    @Test("a blank that is removed while a standard is measured leaves nothing to compare it with")
    func removedMeanwhile() async throws {
        _ = await measure("/api/absorbance/blank")
        let response = await measure("/api/absorbance/standards/A", #"{"concentration": 1}"#, light: 0.08) {
            $0.absorbance.latest.publish(nil)
        }
        #expect(response.statusCode == .conflict)
        #expect(shared.absorbance.latest.value == nil)
    }

    @Test("there are at most 100 standards, and those may still be replaced")
    func many() async throws {
        _ = await measure("/api/absorbance/blank")
        let figures = #"{"r": 1, "g": 1, "b": 1, "standardError": {"r": 0, "g": 0, "b": 0}}"#
        for number in 0..<100 {
            let body = #"{"concentration": \#(number), "absorbance": \#(figures)}"#
            _ = await send(.PUT, "/api/absorbance/standards/S\(number)", body)
        }
        for number in 100..<110 {
            let body = #"{"concentration": \#(number), "absorbance": \#(figures)}"#
            let refused = await send(.PUT, "/api/absorbance/standards/S\(number)", body)
            #expect(try await code(refused) == "standards-full")
        }
        #expect(shared.absorbance.latest.value?.standards.count == 100)
        let replaced = #"{"concentration": 7, "absorbance": \#(figures)}"#
        #expect(await send(.PUT, "/api/absorbance/standards/S3", replaced).statusCode == .ok)
    }

    @Test(
        "invalid figures, keys, names, units and channels are refused before anything is measured",
        arguments: [
            ("/standards/A", "{}"), ("/standards/A", #"{"concentration": -1}"#),
            ("/standards/A", #"{"concentration": 1e-300}"#), ("/standards/A", #"{"concentration": 1e13}"#),
            ("/standards/A", #"{"concentration": NaN}"#), ("/standards/A", #"{"concentration": 1e400}"#),
            ("/standards/A", #"{"concentration": 1, "level": 2}"#),
            ("/standards/A", #"{"concentration": 1, "readings": 7}"#),
            ("/standards/A", #"{"concentration": 1, "absorbance": {"r": 1e9, "g": 0, "b": 0, "standardError": {}}}"#),
            ("/standards/%20", #"{"concentration": 1}"#), ("/standards/a%07b", #"{"concentration": 1}"#),
            ("/standards/%FF", #"{"concentration": 1}"#),
            ("/standards/\(String(repeating: "x", count: 61))", #"{"concentration": 1}"#),
            ("/blank", "[]"), ("/blank", #"{"readings": 7}"#), ("/blank", #"{"readings": 257}"#),
            ("/blank", #"{"everywhere": 1}"#), ("/dark", #"{"reading": 16}"#),
            ("", #"{"unit": "mg\nL"}"#), ("", #"{"unit": "a\u0007b"}"#), ("", #"{"units": "g"}"#), ("", "[]"),
            ("", #"{"unit": "\#(String(repeating: "x", count: 21))"}"#), ("", #"{"channel": "infrared"}"#),
            ("", #"{"unit": 7}"#),
        ])
    func invalid(path: String, body: String) async throws {
        if path.hasPrefix("/standards") { _ = await measure("/api/absorbance/blank") }
        let before = shared.absorbance.latest.value
        #expect(try await refusal(send(.PUT, "/api/absorbance" + path, body)) == "400 bad-absorbance")
        #expect(shared.absorbance.latest.value == before)
    }
}
