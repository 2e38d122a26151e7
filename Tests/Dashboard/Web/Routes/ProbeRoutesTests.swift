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

@Suite("The routes of probes", .timeLimit(.minutes(20)))
struct ProbeRoutesTests: RouteTests {
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    private var probes: [Probe] { shared.config.value.effective.probes }

    private let corner = #"{"region": [0, 0, 0.05, 0.1]}"#

    @Test("a probe is set, replaced at its place, shown and deleted")
    func probe() async throws {
        let created = await send(.PUT, "/api/probes/Top%20left", corner)
        #expect(created.statusCode == .created)
        #expect(
            try await json(created) == [
                "name": "Top left", "region": [0, 0, 0.05, 0.1], "shape": "rectangle", "reference": false,
                "light": false,
            ])
        #expect(await send(.PUT, "/api/probes/Well", corner).statusCode == .created)
        let moved = await send(.PUT, "/api/probes/Top%20left", #"{"region": [0.5, 0, 0.05, 0.1]}"#)
        #expect(moved.statusCode == .ok)
        #expect(probes.map(\.name) == ["Top left", "Well"])
        let shown = try await json(await send(.GET, "/api/probes/Top%20left"))
        #expect(shown["region"] as? [Double] == [0.5, 0, 0.05, 0.1])
        let list = try await json(await send(.GET, "/api/probes"))
        #expect((list["probes"] as? [NSDictionary])?.map { $0["name"] as? String } == ["Top left", "Well"])
        #expect(try await json(await send(.DELETE, "/api/probes/Top%20left")) == shown)
        #expect(probes.map(\.name) == ["Well"])
        #expect(shared.config.value.clientChanges?.names == "probes")
    }

    @Test("a new reference takes the place of the one before")
    func reference() async throws {
        let reference = #"{"region": [0, 0, 0.05, 0.1], "reference": true}"#
        #expect(await send(.PUT, "/api/probes/White", reference).statusCode == .created)
        #expect(await send(.PUT, "/api/probes/Grey", reference).statusCode == .created)
        #expect(probes.map(\.isReference) == [false, true])
    }

    @Test("a grid has a probe in the middle of each cell, named as wells are, and keeps the reference")
    func grid() async throws {
        _ = await send(.PUT, "/api/probes/White", #"{"region": [0, 0, 0.05, 0.1], "reference": true}"#)
        _ = await send(.PUT, "/api/probes/Old", corner)
        let order = #"{"rows": 2, "columns": 3, "region": [0.1, 0.2, 0.6, 0.4]}"#
        #expect(await send(.PUT, "/api/probes", order).statusCode == .ok)
        #expect(probes.map(\.name) == ["White", "A1", "A2", "A3", "B1", "B2", "B3"])
        #expect(probes[1].region.coordinates == [0.15, 0.25, 0.1, 0.1])
        #expect(probes[6].region.coordinates == [0.55, 0.45, 0.1, 0.1])
        #expect(
            await send(.PUT, "/api/probes", #"{"rows": 1, "columns": 1, "region": [0, 0, 1, 1], "share": 1}"#)
                .statusCode == .ok)
        #expect(probes.last?.region == .full)
        // The rows of a tall grid are named as in a spreadsheet.
        _ = await send(.PUT, "/api/probes", #"{"rows": 95, "columns": 1, "region": [0, 0, 1, 1]}"#)
        #expect([1, 26, 27, 52, 53, 95].map { probes[$0].name } == ["A1", "Z1", "AA1", "AZ1", "BA1", "CQ1"])
        let deleted = try await json(await send(.DELETE, "/api/probes"))
        #expect((deleted["probes"] as? [NSDictionary])?.count == 96)
        #expect(probes.isEmpty)
    }

    @Test(
        "a probe or a grid with a mistake is refused, and changes nothing",
        arguments: [
            ("/api/probes/x", "{}"), ("/api/probes/x", #"{"region": [0, 0, 2, 1]}"#),
            ("/api/probes/x", #"{"region": [0, 0, 1, 1], "colour": 1}"#),
            ("/api/probes/x", #"{"region": [0, 0, 1, 1], "name": "y"}"#),
            ("/api/probes/%0A", #"{"region": [0, 0, 1, 1]}"#), ("/api/probes/", #"{"region": [0, 0, 1, 1]}"#),
            ("/api/probes", "{}"), ("/api/probes", #"{"rows": 0, "columns": 3, "region": [0, 0, 1, 1]}"#),
            ("/api/probes", #"{"rows": 13, "columns": 8, "region": [0, 0, 1, 1]}"#),
            ("/api/probes", #"{"rows": 1, "columns": 1, "region": [0.5, 0, 1, 1]}"#),
            ("/api/probes", #"{"rows": 1, "columns": 1, "region": [0, 0, 1]}"#),
            ("/api/probes", #"{"rows": 1, "columns": 1, "region": [0, 0, 1, 1], "share": 0}"#),
            ("/api/probes", #"{"rows": 1, "columns": 1, "region": [0, 0, 1, 1], "share": null}"#),
            ("/api/probes", #"{"rows": 1, "columns": 1, "region": [0, 0, 1e-7, 1]}"#),
            ("/api/probes", #"{"rows": 9223372036854775807, "columns": 2, "region": [0, 0, 1, 1]}"#),
        ])
    func bad(path: String, body: String) async throws {
        #expect(try await refusal(send(.PUT, path, body)) == "400 bad-probe")
        #expect(probes.isEmpty)
    }

    @Test("there are at most 96 probes, and a probe that is not there cannot be shown or deleted")
    func limits() async throws {
        _ = await send(.PUT, "/api/probes", #"{"rows": 8, "columns": 12, "region": [0, 0, 1, 1]}"#)
        #expect(try await code(await send(.PUT, "/api/probes/More", corner)) == "probes-full")
        #expect(await send(.PUT, "/api/probes/A1", corner).statusCode == .ok)
        _ = await send(.PUT, "/api/probes/A1", #"{"region": [0, 0, 0.1, 0.1], "reference": true}"#)
        let shifted = #"{"rows": 12, "columns": 8, "region": [0, 0, 1, 1]}"#
        #expect(await send(.PUT, "/api/probes", shifted).statusCode == .ok)
        #expect(try await code(await send(.GET, "/api/probes/None")) == "probe-not-found")
        #expect(try await code(await send(.DELETE, "/api/probes/None")) == "probe-not-found")
        #expect(try await code(await send(.GET, "/api/probes/%FF")) == "probe-not-found")
    }

    @Test("a client can send all 96 probes at once, which its undo needs")
    func wholeList() async throws {
        _ = await send(.PUT, "/api/probes", #"{"rows": 8, "columns": 12, "region": [0, 0, 1, 1]}"#)
        let list = try #require(try await json(await send(.DELETE, "/api/probes"))["probes"])
        let body = try JSONSerialization.data(withJSONObject: ["probes": list])
        #expect(await send(.PUT, "/api/settings", String(decoding: body, as: UTF8.self)).statusCode == .ok)
        #expect(probes.count == 96)
    }

    @Test("the light of the reference is forgotten on request, and without a reference there is nothing to set")
    func resetReference() async throws {
        #expect(try await code(await send(.POST, "/api/reference")) == "no-reference")
        _ = await send(.PUT, "/api/probes/White", #"{"region": [0, 0, 0.05, 0.1], "reference": true}"#)
        let light = ReferenceLight(camera: "id", region: [0, 0, 0.05, 0.1], light: .init(r: 0.5, g: 0.5, b: 0.5))
        shared.reference.latest.publish(light)
        let reset = await send(.POST, "/api/reference")
        #expect(reset.statusCode == .ok)
        #expect(try await json(reset)["name"] as? String == "White")
        #expect(shared.reference.latest.value == nil)
    }

    @Test("a reading has all figures of the probes only if they are asked for")
    func reading() async throws {
        let probe = Probe(name: "Well", region: .full)
        shared.config.update { $0.effective.probes = [Probe(name: "Well", region: .full)] }
        shared.readings.update {
            $0.probes = [Reading.ProbeColor(probe, Reading.Measurement(mean: .init(r: 255, g: 0, b: 0)))]
        }
        let short = try #require(try await json(await send(.GET, "/api/reading"))["probes"] as? [NSDictionary])
        #expect(
            short == [
                [
                    "hex": "#FF0000", "lightHz": NSNull(), "lightState": NSNull(), "name": "Well", "state": NSNull(),
                    "verdict": NSNull(),
                ]
            ])
        let whole = try await json(await send(.GET, "/api/reading?probes=all"))["probes"] as? [[String: Any]]
        #expect(whole?.first?["region"] as? [Double] == [0, 0, 1, 1])
        #expect(try await code(await send(.GET, "/api/reading?probes=some")) == "bad-probes")
        #expect(try await code(await send(.GET, "/ws?probes=")) == "bad-probes")
    }
}
