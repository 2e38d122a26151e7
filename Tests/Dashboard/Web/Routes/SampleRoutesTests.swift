import Color
import FlyingFox
import Foundation
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

@Suite("The routes of samples", .timeLimit(.minutes(20)))
struct SampleRoutesTests: RouteTests {
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    /// Takes a sample while the camera delivers frames.
    /// - Parameter change: Changes the program after the first reading.
    private func take(
        _ body: String = #"{"readings": 3}"#, headers: [String: String] = [:],
        _ change: (SharedState) -> Void = { _ in }
    ) async -> HTTPResponse {
        shared.readings.update { $0.state = .live }
        return await measure(.POST, "/api/samples", body, headers: headers, change)
    }

    @Test("a sample is taken once its readings have arrived, and the response has its address")
    func taken() async throws {
        let response = await take(#"{"name": " Leaf ", "readings": 3}"#)
        #expect(response.statusCode == .created)
        #expect(response.headers[.location] == "samples/1")
        let sample = try await json(response)
        #expect(sample["name"] as? String == "Leaf" && sample["readings"] as? Int == 3)
        #expect(sample["hex"] as? String == "#3FA7D6" && sample["problem"] is NSNull)
        // By default, it is named after its number and averages 16 readings.
        let second = try await json(await take("{}"))
        #expect(second["name"] as? String == "Sample 2" && second["readings"] as? Int == 16)
        #expect(shared.samples.list.samples.count == 2)
    }

    @Test(
        "an invalid request for a sample is refused before anything is measured, and so is a change that is not a name",
        arguments: [
            #"{"readings": 0}"#, #"{"readings": 257}"#, #"{"readings": 1.5}"#, #"{"readings": 1e400}"#,
            #"{"readings": "3"}"#, #"{"readings": -9223372036854775809}"#, #"{"name": 7}"#, #"{"nam": "x"}"#, "[]", "{",
            "", #"{"name": "\#(String(repeating: "x", count: 101))"}"#,
        ])
    func badOrders(body: String) async throws {
        _ = await shared.samples.add(Self.sample)
        #expect(try await refusal(send(.POST, "/api/samples", body)) == "400 bad-sample")
        #expect(!shared.demand.isWatching)
        for change in [body, "{}", #"{"name": null}"#, #"{"name": "x", "id": 2}"#] {
            #expect(await send(.PATCH, "/api/samples/1", change).statusCode == .badRequest)
        }
        #expect(shared.samples.list.samples == [EncodedSample(Self.sample(1))])
    }

    @Test("without a colour a sample is refused with the state and the reason")
    func noColor() async throws {
        shared.readings.publish(.noCamera)
        #expect(try await refusal(send(.POST, "/api/samples", "{}")) == "503 no-camera")
    }

    @Test("a sample is interrupted if the camera is lost, the configuration edited or a control set meanwhile")
    func interrupted() async throws {
        shared.controls.publish(Self.controls(gain: 1))
        let responses = [
            await take { $0.readings.update { $0.state = .lost } },
            await take { $0.config.update { $0.effective.readings.average = .linear } },
            await take { $0.controls.publish(Self.controls(gain: 2)) },
        ]
        for response in responses { #expect(try await refusal(response) == "409 sample-interrupted") }
        #expect(shared.samples.list.samples.isEmpty)
    }

    @Test("a sample carries the controls, and may be taken while an automatic control changes one")
    func automatic() async throws {
        shared.controls.publish(Self.controls(gain: 1, isAutomatic: true))
        let response = await take { $0.controls.publish(Self.controls(gain: 2, isAutomatic: true)) }
        #expect(response.statusCode == .created)
        #expect(try await json(response)["controls"] as? [String: Int] == ["gain": 2, "gain_automatic": 1])
    }

    private static func controls(gain: Int64, isAutomatic: Bool = false) -> ControlState {
        // V4L2_CID_GAIN and V4L2_CID_AUTOGAIN
        ControlState(controls: [
            .sample(0x0098_0913, "gain", value: .number(gain)),
            .sample(0x0098_0912, "gain_automatic", value: .number(isAutomatic ? 1 : 0)),
        ])
    }

    @Test("a client with eight samples under way is refused another, and other clients are not")
    func tooMany() async throws {
        let places = try #require(app.shares.sampling.begin(8, for: ClientKey(access: .control)))
        let refused = await send(.POST, "/api/samples", "{}")
        #expect(try await refusal(refused) == "503 too-many-samples")
        #expect(refused.headers[HTTPHeader("Retry-After")] == "1")
        #expect(app.shares.sampling.begin(for: ClientKey(network: IPNetwork("192.0.2.1"), access: .control)) != nil)
        withExtendedLifetime(places) {}
    }

    @Test("when there are 1,000 samples, another one is refused before anything is measured")
    func full() async throws {
        for _ in 1...1000 { _ = await shared.samples.add(Self.sample) }
        #expect(try await refusal(send(.POST, "/api/samples", "{}")) == "409 samples-full")
        #expect(shared.samples.list.samples.first?.id == 1)
    }

    private static func sample(_ id: Int) -> Sample {
        Sample(
            id: id, name: "Sample \(id)", time: Date(timeIntervalSince1970: 0), state: .live, readings: 16,
            mean: .init(r: 1, g: 2, b: 3), region: .full)
    }

    @Test("samples are listed in the order in which they were taken", arguments: [0, 1, 2])
    func list(count: Int) async throws {
        for _ in 0..<count { _ = await shared.samples.add(Self.sample) }
        for path in ["/api/samples", "/samples.json"] {
            let document = try await json(await send(.GET, path))
            #expect((document["samples"] as? [[String: Any]])?.map { $0["id"] as? Int } == Array([1, 2].prefix(count)))
        }
    }

    @Test("a list of samples that are stored names no problem")
    func stored() async throws {
        _ = await shared.samples.add(Self.sample)
        _ = await shared.samples.add(Self.sample)
        #expect(try await json(await send(.GET, "/api/samples"))["problem"] is NSNull)
        #expect(try await json(await send(.GET, "/api/samples/2"))["id"] as? Int == 2)
    }

    @Test("a sample is renamed; without a name it gets its number again")
    func rename() async throws {
        _ = await shared.samples.add(Self.sample)
        #expect(
            try await json(await send(.PATCH, "/api/samples/1", #"{"name": "a\nb"}"#))["name"] as? String
                == "a\u{FFFD}b")
        #expect(shared.samples.sample(1)?.name == "a\u{FFFD}b")
        #expect(try await json(await send(.PATCH, "/api/samples/1", #"{"name": ""}"#))["name"] as? String == "Sample 1")
    }

    @Test("deleting a sample returns it, and after that it does not exist")
    func delete() async throws {
        _ = await shared.samples.add(Self.sample)
        #expect(try await json(await send(.DELETE, "/api/samples/1"))["id"] as? Int == 1)
        #expect(await send(.DELETE, "/api/samples/1").statusCode == .notFound)
        #expect(shared.samples.list.samples.isEmpty)
    }

    @Test(
        "a sample that does not exist is not found, however its number is written",
        arguments: ["2", "0", "-1", "+1", "01", "1.0", "1/", "", "1%20", "9223372036854775808", "x"])
    func missing(id: String) async throws {
        _ = await shared.samples.add(Self.sample)
        let responses = [
            await send(.GET, "/api/samples/\(id)"), await send(.DELETE, "/api/samples/\(id)"),
            await send(.PATCH, "/api/samples/\(id)", #"{"name": "x"}"#),
        ]
        for response in responses { #expect(try await code(response) == "sample-not-found") }
        #expect(shared.samples.list.samples == [EncodedSample(Self.sample(1))])
    }

    @Test("samples are exported as files", arguments: ["csv", "json", "gpl"])
    func export(ending: String) async throws {
        _ = await shared.samples.add(Self.sample)
        let response = await send(.GET, "/samples.\(ending)")
        #expect(
            response.headers[HTTPHeader("Content-Disposition")]
                == "attachment; filename=\"swatchcam-samples.\(ending)\"")
        #expect(try await text(response).contains("Sample 1"))
    }

    @Test(
        "a separator that cells contain is refused, and a semicolon with a decimal comma is not",
        arguments: ["separator=x", "separator=", "decimal=;", "decimal=,", "separator=\"", "separator=%0A"])
    func badTable(query: String) async throws {
        #expect(try await code(get("/samples.csv?\(query)")) == "bad-table")
        _ = await shared.samples.add(Self.sample)
        #expect(try await text(get("/samples.csv?separator=;&decimal=,")).contains(";1,0000;2,0000;3,0000;"))
    }

    @Test("with a read-only token, samples can be listed and exported, but not taken, renamed or deleted")
    func readOnly() async throws {
        let token = "viewviewviewviewviewviewviewview"
        shared.config.update {
            $0.effective.web.token = Token("tokentokentokentokentokentoken00")
            $0.effective.web.viewToken = Token(token)
        }
        app.followTokens(shared.config.value.effective.web)
        _ = await shared.samples.add(Self.sample)
        let headers = ["Authorization": "Bearer \(token)"]
        for path in ["/api/samples", "/api/samples/1", "/samples.csv", "/samples.json", "/samples.gpl"] {
            #expect(await get(path, headers).statusCode == .ok)
            #expect(await get(path).statusCode == .unauthorized)
        }
        for (method, path) in [
            (HTTPMethod.POST, "/api/samples"), (.PATCH, "/api/samples/1"), (.DELETE, "/api/samples/1"),
        ] {
            #expect(try await code(await send(method, path, "{}", headers: headers)) == "read-only")
        }
        #expect(shared.samples.list.samples.count == 1)
    }

    @Test("a sample whose client has lost access in the meantime is not kept")
    func lostAccess() async throws {
        let token = "tokentokentokentokentokentoken00"
        shared.config.update { $0.effective.web.token = Token(token) }
        app.followTokens(shared.config.value.effective.web)
        let app = app
        let response = await take(headers: ["Authorization": "Bearer \(token)"]) { shared in
            shared.config.update { $0.effective.web.token = Token("othertokenothertokenothertoken00") }
            app.followTokens(shared.config.value.effective.web)
        }
        #expect(response.statusCode == .unauthorized)
        #expect(shared.samples.list.samples.isEmpty)
    }

    @Test("pages of other sites cannot change samples")
    func otherSites() async throws {
        _ = await shared.samples.add(Self.sample)
        let headers = ["Origin": "http://evil.example"]
        for (method, path) in [
            (HTTPMethod.POST, "/api/samples"), (.PATCH, "/api/samples/1"), (.DELETE, "/api/samples/1"),
        ] {
            #expect(try await code(await send(method, path, #"{"name": "x"}"#, headers: headers)) == "wrong-origin")
        }
        #expect(shared.samples.list.samples == [EncodedSample(Self.sample(1))])
    }
}
