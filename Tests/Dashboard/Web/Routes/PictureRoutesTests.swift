import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Picture routes", .timeLimit(.minutes(20)))
struct PictureRoutesTests: RouteTests {
    private var readings: Latest<Reading> { shared.readings }
    private var pictures: PictureHub { shared.pictures }
    let app: WebApp
    /// An app that does not wait for a picture.
    private let appWithZeroTimeout: WebApp

    init() throws {
        let shared = try SharedState.sample()
        app = try WebApp.sample(shared, timeout: .seconds(3600))
        appWithZeroTimeout = try WebApp.sample(shared, timeout: .zero)
    }

    private func status(_ path: String, _ headers: [String: String] = [:]) async -> Int {
        await appWithZeroTimeout.handleRequest(.sample(.GET, path, headers: headers)).statusCode.code
    }

    private func code(_ path: String, _ headers: [String: String] = [:]) async throws -> String? {
        try await code(appWithZeroTimeout.handleRequest(.sample(.GET, path, headers: headers)))
    }

    @Test("a stream is multipart and is not cached")
    func stream() async {
        let response = await get("/stream.mjpg")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "multipart/x-mixed-replace; boundary=swatchcam-picture")
        #expect(response.headers[.cacheControl] == "no-store")
    }

    @Test("the head of a stream has no length", .needs(.endlessBodies))
    func head() async {
        let response = await app.handleRequest(.sample(.HEAD, "/stream.mjpg"))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentLength] == nil)
        guard case .httpBody(let body) = response.payload else {
            Issue.record("it is a WebSocket")
            return
        }
        #expect(body.count == nil)
    }

    @Test(
        "a snapshot is the next picture of the requested view, with its time",
        arguments: [("", Picture.View.live), ("?view=live", .live), ("?view=processed", .processed)])
    func snapshot(query: String, view: Picture.View) async throws {
        async let answer = get("/snapshot.jpg" + query)
        await waitUntil("the snapshot needs a picture") { !pictures.demand(at: .now()).isEmpty }
        #expect(pictures.demand(at: .now()) == [view])
        pictures.offer(
            Picture(data: Data("jpeg".utf8), time: Date(timeIntervalSince1970: 12.5), timestamp: .now()), of: view,
            at: .now())
        let response = await answer
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "image/jpeg")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[HTTPHeader("X-Timestamp")] == "12.500000")
        #expect(try await response.bodyData == Data("jpeg".utf8))
    }

    @Test("a snapshot does not show a frame that was captured before the request")
    func oldFrame() async throws {
        let before = MonotonicTime.now()
        async let answer = get("/snapshot.jpg")
        for (text, timestamp) in [("old", before), ("new", before + 3600)] {
            await waitUntil("the snapshot needs a picture") { !pictures.demand(at: .now()).isEmpty }
            let picture = Picture(data: Data(text.utf8), time: Date(), timestamp: timestamp)
            pictures.offer(picture, of: .live, at: .now())
        }
        #expect(try await answer.bodyData == Data("new".utf8))
    }

    @Test(
        "pictures are refused while there is no colour, and a snapshot without one in time",
        arguments: ["/snapshot.jpg", "/stream.mjpg"])
    func noColor(path: String) async throws {
        #expect(try await code("/snapshot.jpg") == "no-picture")
        readings.publish(.noCamera)
        #expect(try await refusal(get(path)) == "503 no-picture")
        #expect(pictures.counters.viewers == 0)
    }

    @Test("pictures are refused if there are too many viewers", arguments: ["/snapshot.jpg", "/stream.mjpg"])
    func tooMany(path: String) async throws {
        let all = try #require(appWithZeroTimeout.shares.viewers.begin(.max, for: ClientKey(access: .control)))
        #expect(try await code(path) == "too-many-viewers")
        withExtendedLifetime(all) {}
    }

    @Test("an unknown view is refused", arguments: ["", "Live", "both"])
    func badView(name: String) async throws {
        #expect(try await code("/stream.mjpg?view=\(name)") == "bad-view")
        #expect(try await code("/ws/picture?view=\(name)", HTTPRequest.upgrade) == "bad-view")
    }

    @Test(
        "a stream has 0.1 to 240 pictures per second",
        arguments: [
            ("0.1", true), ("240", true), ("15", true), ("0.09", false), ("240.5", false), ("-1", false),
            ("nan", false),
            ("inf", false), ("", false), ("x", false),
        ])
    func rate(text: String, isAllowed: Bool) async throws {
        #expect(await status("/stream.mjpg?fps=\(text)") == (isAllowed ? 200 : 400))
    }

    @Test("a parameter of more than 64 bytes is not read", arguments: [(64, 200), (65, 400)])
    func longParameter(length: Int, status: Int) async {
        let rate = "15." + String(repeating: "0", count: length - 3)
        #expect(await self.status("/stream.mjpg?fps=\(rate)") == status)
    }

    @Test(
        "only pages of this server and programs other than browsers get pictures",
        arguments: [("same-origin", 200), ("none", 200), ("NONE", 200), ("same-site", 403), ("cross-site", 403)])
    func otherSite(site: String, status: Int) async {
        #expect(await self.status("/stream.mjpg", ["Sec-Fetch-Site": site]) == status)
    }

    @Test(
        "a WebSocket for pictures can be opened, with or without a view, even while there is no colour",
        arguments: ["", "?view=live", "?view=processed"])
    func socket(query: String) async {
        readings.publish(.noCamera)
        #expect(await status("/ws/picture" + query, HTTPRequest.upgrade) == 101)
    }

    @Test("WebSockets that request no picture take no place from those who want one")
    func idleSockets() async throws {
        var sockets: [HTTPResponse] = []
        for _ in 0..<128 {
            sockets.append(await get("/ws/picture", HTTPRequest.upgrade))
        }
        #expect(sockets.allSatisfy { $0.statusCode == .switchingProtocols })
        #expect(pictures.counters.viewers == 0)
        #expect(app.shares.viewers.begin(.max, for: ClientKey(access: .control)) != nil)
        withExtendedLifetime(sockets) {}
    }

    @Test("a client without full access leaves places for viewers to one with full access")
    func reservedViewers() async throws {
        let networks = ["192.0.2.1", "192.0.2.2"].map { ClientKey(network: IPNetwork($0), access: .view) }
        let others = networks.flatMap { client in (0..<128).compactMap { _ in app.shares.viewers.begin(for: client) } }
        #expect(others.count == 96)
        #expect(await get("/stream.mjpg").statusCode == .ok)
    }

    @Test("the path is only for WebSockets, and not for those of another site's page")
    func noSocket() async throws {
        #expect(try await code("/ws/picture") == "websocket-only")
        let headers = HTTPRequest.upgrade.merging(["Origin": "http://evil.example"]) { $1 }
        #expect(try await code("/ws/picture", headers) == "wrong-origin")
    }
}
