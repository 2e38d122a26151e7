import FlyingFox
import Foundation
import Logging
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

/// Tests of opening WebSockets.
extension WebAppTests {
    @Test("a WebSocket can be opened")
    func webSocket() async {
        let response = await get("/ws", HTTPRequest.upgrade)
        #expect(response.statusCode == .switchingProtocols)
        #expect(response.headers[.webSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("a WebSocket is refused for HTTP/1.0 and for a request with a body", arguments: ["1.0", "body"])
    func badUpgrade(problem: String) async {
        var request = HTTPRequest.sample(.GET, "/ws", headers: HTTPRequest.upgrade)
        if problem == "1.0" { request.version = HTTPVersion("HTTP/1.0") } else { request.setBodyData(Data("x".utf8)) }
        #expect(await app.handleRequest(request).statusCode == .upgradeRequired)
    }

    @Test("a plain request for /ws is refused, because the path is only for WebSockets")
    func upgradeRequired() async {
        #expect(await get("/ws").statusCode == .upgradeRequired)
    }

    @Test("the refusal of a plain request for /ws names the protocol and its version")
    func upgradeHeaders() async throws {
        let response = await get("/ws")
        #expect(response.headers[.upgrade] == "websocket")
        #expect(response.headers[.connection] == "upgrade")
        #expect(response.headers[.webSocketVersion] == "13")
        #expect(
            try await error(in: response) == [
                "code": "websocket-only",
                "message": "This address accepts only WebSocket connections, version 13.",
            ])
    }

    @Test("a WebSocket of another version or another protocol is refused", arguments: ["version", "protocol"])
    func otherUpgrade(problem: String) async {
        let change = problem == "version" ? ["Sec-WebSocket-Version": "12"] : ["Upgrade": "h2c"]
        #expect(await get("/ws", HTTPRequest.upgrade.merging(change) { $1 }).statusCode == .upgradeRequired)
    }

    @Test("a WebSocket beyond the limit is refused", arguments: ["/ws", "/ws/picture", "/ws/fleet"])
    func tooMany(path: String) async throws {
        let all = try #require(app.sockets.begin(.max, for: ClientKey(access: .control)))
        let response = await get(path, HTTPRequest.upgrade)
        #expect(response.statusCode == .serviceUnavailable)
        #expect(response.headers[.connection] == "close")
        #expect(try await error(in: response)["code"] == "too-many-clients")
        withExtendedLifetime(all) {}
    }

    @Test("a WebSocket for the fleet is refused beyond a limit of its own, and others are not")
    func tooManyWalls() async throws {
        let all = try #require(app.fleetViewers.begin(.max, for: ClientKey(access: .control)))
        #expect(try await error(in: get("/ws/fleet", HTTPRequest.upgrade))["code"] == "too-many-clients")
        #expect(app.fleetSockets.count == 0)
        #expect(await get("/ws", HTTPRequest.upgrade).statusCode == .switchingProtocols)
        withExtendedLifetime(all) {}
    }

    @Test("a failed handshake does not occupy a place")
    func badHandshake() async throws {
        let response = await get("/ws", HTTPRequest.upgrade.merging(["Sec-WebSocket-Key": "short"]) { $1 })
        #expect(response.statusCode == .badRequest)
        #expect(try await error(in: response)["code"] == "bad-handshake")
        #expect(broadcaster.count == 0)
    }
}
