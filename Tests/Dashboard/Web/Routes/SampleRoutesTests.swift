import Color
import FlyingFox
import Foundation
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("The routes of samples", .timeLimit(.minutes(20)))
struct SampleRoutesTests {
    private let shared: SharedState
    private let app: WebApp

    init() throws {
        shared = try SharedState.sample()
        app = try Self.app(shared)
    }

    private static func app(_ shared: SharedState) throws -> WebApp {
        try WebApp.sample(shared)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async -> HTTPResponse {
        let type = body == nil ? [:] : ["Content-Type": "application/json"]
        return await app.handleRequest(
            .sample(
                method, path, headers: headers.merging(type) { $1 }, body: Data((body ?? "").utf8)))
    }

    private func json(_ response: HTTPResponse) async throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any])
    }

    private func code(_ response: HTTPResponse) async throws -> String? {
        (try await json(response)["error"] as? [String: Any])?["code"] as? String
    }

    /// Takes a sample while the camera delivers frames.
    /// - Parameter change: Changes the program after the first reading.
    private func take(
        _ body: String = #"{"readings": 3}"#, headers: [String: String] = [:],
        _ change: @escaping @Sendable (SharedState) -> Void = { _ in }
    ) async -> HTTPResponse {
        shared.readings.update { $0.state = .live }
        let (shared, watchers) = (shared, shared.demand.changes())
        async let response = send(.POST, "/api/samples", body, headers: headers)
        for await count in watchers where count > 0 { break }
        var sequence: UInt32 = 20_000
        await waitUntil("nobody watches any more") {
            guard shared.demand.isWatching else { return true }
            sequence += 1
            let time = MonotonicTime(nanoseconds: Int64(sequence))
            shared.readings.update {
                $0.frame?.time = time
                $0.frame?.firstTime = time
            }
            if sequence == 20_001 { change(shared) }
            return false
        }
        return await response
    }

    @Test("a sample is taken once its readings have arrived, and the response has its address")
    func taken() async throws {
        let response = await take(#"{"name": " Leaf ", "readings": 3}"#)
        #expect(response.statusCode == .created)
        #expect(response.headers[.location] == "/api/samples/1")
        let sample = try await json(response)
        #expect(sample["name"] as? String == "Leaf" && sample["readings"] as? Int == 3)
        #expect(sample["hex"] as? String == "#3FA7D6" && sample["problem"] is NSNull)
        #expect(shared.samples.samples.count == 1)
    }

    @Test("by default, a sample is named after its number and averages 16 readings")
    func defaults() async throws {
        let sample = try await json(await take("{}"))
        #expect(sample["name"] as? String == "Sample 1" && sample["readings"] as? Int == 16)
    }

    @Test(
        "an invalid request for a sample is refused before anything is measured",
        arguments: [
            #"{"readings": 0}"#, #"{"readings": 257}"#, #"{"readings": 1.5}"#, #"{"readings": 1e400}"#,
            #"{"readings": "3"}"#, #"{"readings": -9223372036854775809}"#, #"{"name": 7}"#, #"{"nam": "x"}"#, "[]", "{",
            "", #"{"name": "\#(String(repeating: "x", count: 101))"}"#,
        ])
    func badOrders(body: String) async throws {
        let response = await send(.POST, "/api/samples", body)
        #expect(response.statusCode == .badRequest)
        #expect(try await code(response) == "bad-sample")
        #expect(!shared.demand.isWatching)
    }

    @Test("without a colour a sample is refused with the state and the reason")
    func noColor() async throws {
        shared.readings.publish(.noCamera)
        let response = await send(.POST, "/api/samples", "{}")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(try await code(response) == "no-camera")
    }

    @Test("a sample is interrupted if the camera is lost, the configuration edited or a control set meanwhile")
    func interrupted() async throws {
        shared.controls.publish(Self.controls(gain: 1))
        let responses = [
            await take { $0.readings.update { $0.state = .lost } },
            await take { $0.config.update { $0.effective.readings.average = .linear } },
            await take { $0.controls.publish(Self.controls(gain: 2)) },
        ]
        for response in responses {
            #expect(response.statusCode == .conflict)
            #expect(try await code(response) == "sample-interrupted")
        }
        #expect(shared.samples.samples.isEmpty)
    }

    @Test("a sample carries the controls, and may be taken while an automatic control changes one")
    func automatic() async throws {
        shared.controls.publish(Self.controls(gain: 1, isAutomatic: true))
        let response = await take { $0.controls.publish(Self.controls(gain: 2, isAutomatic: true)) }
        #expect(response.statusCode == .created)
        #expect(try await json(response)["controls"] as? [String: Int] == ["gain": 2, "gain_automatic": 1])
    }

    private static func controls(gain: Int64, isAutomatic: Bool = false) -> ControlState {
        func control(_ id: UInt32, _ name: String, _ value: Int64) -> Control {
            Control(
                id: id, name: name, label: name, kind: .integer, minimum: 0, maximum: 9, step: 1,
                value: .number(value), choices: [], isReadOnly: false, isInactive: false)
        }
        // V4L2_CID_GAIN and V4L2_CID_AUTOGAIN
        return ControlState(controls: [
            control(0x0098_0913, "gain", gain), control(0x0098_0912, "gain_automatic", isAutomatic ? 1 : 0),
        ])
    }

    @Test("a client with eight samples under way is refused another, and other clients are not")
    func tooMany() async throws {
        let places = try #require(app.sampling.begin(8, for: ClientKey(access: .control)))
        let refusal = await send(.POST, "/api/samples", "{}")
        #expect(refusal.statusCode == .serviceUnavailable)
        #expect(try await code(refusal) == "too-many-samples")
        #expect(refusal.headers[HTTPHeader("Retry-After")] == "1")
        #expect(app.sampling.begin(for: ClientKey(network: IPNetwork("192.0.2.1"), access: .control)) != nil)
        withExtendedLifetime(places) {}
    }

    @Test("when there are 1,000 samples, another one is refused before anything is measured")
    func full() async throws {
        for _ in 1...1000 { _ = await shared.samples.add(Self.sample) }
        let response = await send(.POST, "/api/samples", "{}")
        #expect(response.statusCode == .conflict)
        #expect(try await code(response) == "samples-full")
        #expect(shared.samples.samples.first?.id == 1)
    }

    private static func sample(_ id: Int) -> Sample {
        Sample(
            id: id, name: "Sample \(id)", time: Date(timeIntervalSince1970: 0), state: .live, readings: 16,
            mean: .init(r: 1, g: 2, b: 3), region: .full)
    }

    @Test("samples are listed in the order in which they were taken")
    func list() async throws {
        for _ in 1...2 { _ = await shared.samples.add(Self.sample) }
        let document = try await json(await send(.GET, "/api/samples"))
        #expect((document["samples"] as? [[String: Any]])?.map { $0["id"] as? Int } == [1, 2])
        #expect(document["problem"] is NSNull)
        #expect(try await json(await send(.GET, "/api/samples/2"))["id"] as? Int == 2)
    }

    @Test("a sample is renamed; without a name it gets its number again")
    func rename() async throws {
        _ = await shared.samples.add(Self.sample)
        #expect(
            try await json(await send(.PATCH, "/api/samples/1", #"{"name": "a\nb"}"#))["name"] as? String
                == "a\u{FFFD}b")
        #expect(shared.samples.samples.first?.name == "a\u{FFFD}b")
        #expect(try await json(await send(.PATCH, "/api/samples/1", #"{"name": ""}"#))["name"] as? String == "Sample 1")
    }

    @Test(
        "a change of a sample that is not a name is refused",
        arguments: ["{}", #"{"name": null}"#, #"{"name": "x", "id": 2}"#, #"{"name": 7}"#, "[]"])
    func badNames(body: String) async throws {
        _ = await shared.samples.add(Self.sample)
        let response = await send(.PATCH, "/api/samples/1", body)
        #expect(response.statusCode == .badRequest)
        #expect(shared.samples.samples == [Self.sample(1)])
    }

    @Test("deleting a sample returns it, and after that it does not exist")
    func delete() async throws {
        _ = await shared.samples.add(Self.sample)
        #expect(try await json(await send(.DELETE, "/api/samples/1"))["id"] as? Int == 1)
        #expect(await send(.DELETE, "/api/samples/1").statusCode == .notFound)
        #expect(shared.samples.samples.isEmpty)
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
        #expect(shared.samples.samples == [Self.sample(1)])
    }

    @Test("samples are exported as files", arguments: ["csv", "json", "gpl"])
    func export(ending: String) async throws {
        _ = await shared.samples.add(Self.sample)
        let response = await send(.GET, "/samples.\(ending)")
        #expect(
            response.headers[HTTPHeader("Content-Disposition")]
                == "attachment; filename=\"swatchcam-samples.\(ending)\"")
        #expect(String(decoding: try await response.bodyData, as: UTF8.self).contains("Sample 1"))
    }

    @Test("the table of samples is written with the requested separator and decimal point")
    func decimalComma() async throws {
        _ = await shared.samples.add(Self.sample)
        let text = String(decoding: try await send(.GET, "/samples.csv?separator=;&decimal=,").bodyData, as: UTF8.self)
        #expect(text.contains(";1,0000;2,0000;3,0000;"))
    }

    @Test(
        "a separator that cells contain is refused",
        arguments: ["separator=x", "separator=", "decimal=;", "decimal=,", "separator=\"", "separator=%0A"])
    func badTable(query: String) async throws {
        #expect(try await code(await send(.GET, "/samples.csv?\(query)")) == "bad-table")
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
            #expect(await send(.GET, path, headers: headers).statusCode == .ok)
            #expect(await send(.GET, path).statusCode == .unauthorized)
        }
        for (method, path) in [
            (HTTPMethod.POST, "/api/samples"), (.PATCH, "/api/samples/1"), (.DELETE, "/api/samples/1"),
        ] {
            #expect(try await code(await send(method, path, "{}", headers: headers)) == "read-only")
        }
        #expect(shared.samples.samples.count == 1)
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
        #expect(shared.samples.samples.isEmpty)
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
        #expect(shared.samples.samples == [Self.sample(1)])
    }
}
