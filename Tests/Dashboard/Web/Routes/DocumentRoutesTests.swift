import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

/// A token of each kind.
private let (controlToken, viewToken) = (
    String(repeating: "c", count: 43), String(repeating: "v", count: 43)
)

@Suite("The routes of documents that are larger than a reading", .timeLimit(.minutes(5)))
struct DocumentRoutesTests: RouteTests {
    private static let paths = [
        "/", "/calibrate", "/kiosk", "/measuring", "/test", "/api/absorbance", "/api/cameras", "/api/config",
        "/api/controls", "/api/counts", "/api/history", "/api/probes", "/api/samples", "/api/settings",
        "/api/statistics",
        "/api/targets", "/history.csv", "/metrics", "/samples.csv", "/samples.gpl", "/samples.json",
    ]
    private static let filePaths = ["/api/openapi.json", "/resources/swatchcam.css", "/manifest.webmanifest"]

    let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        shared.clocks = ManualClock().clocks
        shared.history = History(clocks: shared.clocks)
        shared.config.update {
            $0.effective.web.token = Token(controlToken)
            $0.effective.web.viewToken = Token(viewToken)
        }
        app = try WebApp.sample(shared, timeout: .zero)
    }

    private func get(_ path: String, _ token: String) async -> HTTPResponse {
        await get(path, ["Authorization": "Bearer \(token)"])
    }

    @Test(
        "a document holds a place of its client until it is sent, and another client's place is not affected",
        arguments: paths)
    func places(path: String) async throws {
        var responses: [HTTPResponse] = []
        for _ in 0..<16 { responses.append(await get(path, viewToken)) }
        #expect(responses.allSatisfy { $0.statusCode == .ok })
        let refused = await get(path, viewToken)
        #expect(try await refusal(refused) == "503 too-many-transfers")
        #expect(refused.headers[HTTPHeader("Retry-After")] == "1")
        #expect(await get(path, controlToken).statusCode == .ok)
        responses.removeLast()
        #expect(await get(path, viewToken).statusCode == .ok)
    }

    @Test(
        "files are sent to a client without places, because they cost no more than its connection", arguments: filePaths
    )
    func files(path: String) async throws {
        let all = app.shares.transfers.begin(.max, for: ClientKey(access: .view))
        #expect(await get(path, viewToken).statusCode == .ok)
        withExtendedLifetime(all) {}
    }

    @Test("a response to HEAD, which has no body, holds no place")
    func head() async {
        var responses: [HTTPResponse] = []
        for _ in 0...16 {
            responses.append(await send(.HEAD, "/api/history", headers: ["Authorization": "Bearer \(viewToken)"]))
        }
        #expect(responses.allSatisfy { $0.statusCode == .ok })
    }

    @Test(
        "a document holds one place, and another for each 256 KiB, up to eight",
        arguments: [(1, 16), (262_143, 16), (262_144, 8), (600_000, 5), (4_000_000, 2)])
    func placesBySize(size: Int, count: Int) async throws {
        let document = Document(key: "\(size)", version: "") { Data(count: size) }
        let client = ClientKey(access: .view)
        var responses: [HTTPResponse] = []
        for _ in 0..<count { responses.append(try await app.documents.send(document, to: client, .sample())) }
        await #expect(throws: HTTPError.self) { try await app.documents.send(document, to: client, .sample()) }
    }

    @Test("a document that has yet to be made needs as many places as a large one")
    func unknownSize() async throws {
        let places = app.shares.transfers.begin(9, for: ClientKey(access: .view))
        let document = Document(key: "a", version: "") { Data(count: 1) }
        await #expect(throws: HTTPError.self) {
            try await app.documents.send(document, to: ClientKey(access: .view), .sample())
        }
        _ = try await app.documents.send(document, to: ClientKey(access: .control), .sample())
        _ = try await app.documents.send(document, to: ClientKey(access: .view), .sample())
        withExtendedLifetime(places) {}
    }

    @Test(
        "a change holds a place until its answer is sent, and another for each 64 KiB of its body",
        arguments: [(65_535, 32), (65_536, 16)])
    func changes(size: Int, count: Int) async throws {
        let change = "{\"rate\": 2}"
        let body = change + String(repeating: " ", count: size - change.utf8.count)
        let headers = ["Authorization": "Bearer \(controlToken)"]
        var responses: [HTTPResponse] = []
        for _ in 0..<count { responses.append(await send(.PUT, "/api/settings", body, headers: headers)) }
        #expect(responses.allSatisfy { $0.statusCode == .ok })
        #expect(try await refusal(send(.PUT, "/api/settings", body, headers: headers)) == "503 too-many-transfers")
        #expect(await get("/api/settings", controlToken).statusCode == .ok)
        responses.removeLast()
        #expect(await send(.PUT, "/api/settings", body, headers: headers).statusCode == .ok)
    }

    @Test("all clients without full access leave places to one with full access")
    func reserved() async {
        let networks = (1...9).map { ClientKey(network: IPNetwork("192.0.2.\($0)"), access: .view) }
        let others = networks.compactMap { app.shares.transfers.begin(.max, for: $0) }
        #expect(others.count == 3)
        #expect(await get("/api/history", controlToken).statusCode == .ok)
    }

    @Test("a parameter that an address does not take is refused, and named", arguments: paths + ["/api/reading"])
    func unknownParameter(path: String) async throws {
        for query in ["?spam=1", "?spam", "?SPAN=1h", "?%73pam="] {
            #expect(try await refusal(get(path + query, controlToken)) == "400 unknown-parameter")
        }
    }

    @Test("every address but those of pictures refuses a parameter that it does not take")
    func unknownParameterOfAnyRoute() async throws {
        for route in app.routes where !route.ignoresOtherParameters {
            let path = route.path.replacing(/{.+}/, with: "x")
            let response = await send(
                route.method, "\(path)?spam=1", headers: ["Authorization": "Bearer \(controlToken)"])
            #expect(try await refusal(response) == "400 unknown-parameter", "\(route.method.rawValue) \(path)")
        }
        #expect(
            app.routes.filter(\.ignoresOtherParameters).map(\.path).sorted() == ["/snapshot.jpg", "/stream.mjpg"])
    }

    @Test(
        "a parameter that a picture does not take is ignored, because programs add a number against caches",
        arguments: ["?1595805826022", "?cacheBust=1", "?view=live&_=7"])
    func cacheBuster(query: String) async throws {
        shared.readings.publish(.noCamera)
        #expect(try await refusal(get("/snapshot.jpg" + query, controlToken)) == "503 no-picture")
    }

    @Test(
        "a parameter that is given more than once is refused, and named",
        arguments: [
            "/history.csv?span=1h&span=1h", "/history.csv?recording=1&recording=1", "/kiosk?show=color&show=color",
            "/samples.csv?decimal=.&decimal=.", "/snapshot.jpg?view=live&view=live", "/stream.mjpg?fps=1&fps=1",
            "/api/difference?from=red&to=red&to=red",
        ])
    func repeatedParameter(path: String) async throws {
        #expect(try await refusal(get(path, controlToken)) == "400 repeated-parameter")
    }
}
