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

@Suite("The web app")
struct WebAppTests {
    private let readings = Latest(Reading.sample)
    private let config = Latest(Config())
    private let pictures = PictureHub(capacity: 1)
    private let broadcaster = WebSocketBroadcaster(capacity: 1)
    private let app: WebApp

    init() throws {
        var sources = try WebSources.sample()
        sources.config = config
        sources.readings = readings
        sources.pictures = pictures
        app = WebApp(
            sources: sources, pages: try Pages(templates: nil, resources: nil), broadcaster: broadcaster,
            log: Logger(label: "test"))
    }

    private func get(_ path: String, _ headers: [String: String] = [:]) async -> HTTPResponse {
        await app.handleRequest(.sample(.GET, path, headers: headers))
    }

    private func error(in response: HTTPResponse) async throws -> [String: String] {
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        return try #require(json?["error"] as? [String: String])
    }

    @Test("serves the dashboard, never from a cache")
    func dashboard() async {
        let response = await get("/")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
    }

    @Test("serves the newest reading")
    func reading() async throws {
        readings.publish(.noCamera)
        let response = await get("/api/reading")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.bodyData == Reading.noCamera.json())
    }

    @Test("serves the configuration that holds")
    func configuration() async throws {
        config.update { $0.picture.quality = 42 }
        let response = await get("/api/config")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.bodyData == ConfigSchema.json(config.value, path: nil))
    }

    @Test("is healthy while readings are fresh and have a colour", arguments: [Reading.State.live, .testPattern])
    func healthy(state: Reading.State) async throws {
        // Three of a thousand seconds: this one stays fresh, however long the answer takes.
        config.update { $0.readings.rate = 0.001 }
        readings.publish(Reading.sample.with { ($0.state, $0.time) = (state, .now) })
        let response = await get("/healthz")
        #expect(response.statusCode == .ok)
        #expect(
            try await response.bodyData
                == Data(#"{"pictures":{"encoded":0,"passedOn":0,"viewers":0},"status":"ok"}"#.utf8))
    }

    @Test("is not healthy when the newest reading is old")
    func stale() async throws {
        readings.publish(Reading.sample.with { $0.time = .now - 3600 })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(try await error(in: response)["code"] == "stale")
    }

    @Test("is healthy while a camera delivers as rarely as it can")
    func slowCamera() async throws {
        app.sources.demand.framePeriod = 3600
        readings.publish(Reading.sample.with { $0.time = .now - 7200 })
        #expect(await get("/healthz").statusCode == .ok)
    }

    @Test("says why it is not healthy when there is no colour")
    func unhealthy() async throws {
        readings.publish(Reading.noCamera.with { $0.time = .now })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(
            try await error(in: response) == ["code": "no-camera", "message": "There is no camera. Connect one."])
    }

    @Test("serves a resource with its type and its tag")
    func resource() async throws {
        let response = await get("/resources/swatchcam.css")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "text/css; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-cache")
        #expect(response.headers[.eTag]?.hasPrefix("\"") == true)
    }

    @Test("does not send a resource again that the client has", arguments: ["%", "W/%", "\"other\", %", "*"])
    func notModified(pattern: String) async throws {
        let tag = try #require(await get("/resources/swatchcam.css").headers[.eTag])
        let known = pattern.replacing("%", with: tag)
        let response = await get("/resources/swatchcam.css", ["If-None-Match": known])
        #expect(response.statusCode == .notModified)
        #expect(response.headers[.eTag] == tag)
        #expect(try await response.bodyData.isEmpty)
    }

    @Test(
        "knows no other paths",
        arguments: [
            "", "//", "/index.html", "/resources/", "/resources", "/resources/none.css", "/Resources/swatchcam.css",
            "/resources/../Package.swift", "/resources/%2e%2e/Package.swift", "/resources/..%2fPackage.swift",
            "/resources//etc/passwd", "/resources/%73watchcam.css", "*", "http:/localhost:8080/",
        ])
    func notFound(path: String) async throws {
        let response = await get(path)
        #expect(response.statusCode == .notFound)
        #expect(try await error(in: response)["code"] == "not-found")
    }

    @Test(
        "answers a wrong method with what is allowed",
        arguments: [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .PATCH], ["/", "/api/reading", "/ws"])
    func wrongMethod(method: HTTPMethod, path: String) async throws {
        let response = await app.handleRequest(.sample(method, path))
        #expect(response.statusCode == .methodNotAllowed)
        #expect(response.headers[HTTPHeader("Allow")] == "GET, HEAD")
    }

    @Test(
        "shows the picture on the kiosk if the configuration or the address says so",
        arguments: [("/kiosk", false), ("/kiosk?show=picture", true), ("/kiosk?show=color", false)])
    func kiosk(path: String, showsPicture: Bool) async throws {
        for (configured, expected) in [
            (Config.Kiosk.Show.color, showsPicture), (.picture, path != "/kiosk?show=color"),
        ] {
            config.update { $0.kiosk.show = configured }
            let page = String(decoding: try await get(path).bodyData, as: UTF8.self)
            #expect(page.contains(#"id="picture""#) == expected)
        }
    }

    @Test("knows nothing else that a kiosk could show")
    func badKiosk() async throws {
        let response = await get("/kiosk?show=all")
        #expect(response.statusCode == .badRequest)
        #expect(try await error(in: response)["code"] == "bad-show")
    }

    @Test("lets browsers keep the files that pages name for good: with other content they have other names")
    func lastingResource() async throws {
        let page = String(decoding: try await get("/").bodyData, as: UTF8.self)
        let path = try #require(page.firstMatch(of: /"(\/resources\/v-[0-9a-f]+\/swatchcam.css)"/)?.1)
        let response = await get(String(path))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
    }

    @Test("has no files below the name of another version")
    func otherVersion() async {
        #expect(await get("/resources/v-0/swatchcam.css").statusCode == .notFound)
    }

    @Test(
        "answers HEAD like GET, without the body", arguments: ["/", "/api/reading", "/resources/swatchcam.css", "/x"])
    func head(path: String) async throws {
        let get = await get(path)
        let head = await app.handleRequest(.sample(.HEAD, path))
        #expect(head.statusCode == get.statusCode)
        #expect(head.headers[.contentLength] == String(try await get.bodyData.count))
        #expect(try await head.bodyData.isEmpty)
    }

    @Test(
        "takes the absolute form of an address if it names the same host as the Host field",
        arguments: [
            ("http://localhost:8080/api/reading", 200), ("HTTP://localhost:8080/api/reading?x=1", 200),
            ("http://localhost:8080", 200), ("http://evil.example/api/reading", 400), ("http:///api/reading", 400),
            ("http://127.0.0.1:8080/api/reading", 400),
        ])
    func absoluteForm(target: String, status: Int) async {
        #expect(await get(target).statusCode.code == status)
    }

    @Test(
        "does not know methods that nobody has, or that are not written in capitals",
        arguments: ["PROPFIND", "MKCOL", "FOO", "get", "Get", "POST2"])
    func unknownMethod(name: String) async throws {
        let response = await app.handleRequest(.sample(HTTPMethod(rawValue: name), "/api/reading"))
        #expect(response.statusCode.code == 501)
        #expect(try await error(in: response)["code"] == "unknown-method")
    }

    @Test("says when it answers", arguments: ["/", "/nothing"])
    func date(path: String) async {
        #expect(await get(path).headers[.date]?.hasSuffix(" GMT") == true)
    }

    @Test("answers what is not a request like everything else")
    func malformed() async throws {
        let response = await app.handleMalformedRequest(statusCode: .badRequest, message: "This is no request.")
        #expect(response.statusCode == .badRequest)
        #expect(response.headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(response.headers[.date] != nil)
        #expect(try await error(in: response) == ["code": "malformed-request", "message": "This is no request."])
    }

    @Test("sends nothing in a field that could end it")
    func unprintable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "/a\r\nSet-Cookie: b\u{0}\u{85}c"
        response.headers.setValues(["d\r\n", "e"], for: .setCookie)
        let finished = response.finished(at: 0)
        #expect(finished.headers[.location] == "/aSet-Cookie: bc")
        #expect(finished.headers.values(for: .setCookie) == ["d", "e"])
    }

    @Test("gives every answer the security headers", arguments: ["/", "/api/reading", "/nothing", "/ws"])
    func securityHeaders(path: String) async {
        let headers = await get(path).headers
        #expect(headers[HTTPHeader("Content-Security-Policy")]?.hasPrefix("default-src 'none';") == true)
        #expect(headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(headers[HTTPHeader("Referrer-Policy")] == "same-origin")
        #expect(headers[HTTPHeader("Cross-Origin-Resource-Policy")] == "same-origin")
        #expect(headers[HTTPHeader("Permissions-Policy")] != nil)
    }

    @Test("guards every path")
    func guarded() async {
        #expect(await get("/api/reading", ["Host": "evil.example"]).statusCode == .misdirectedRequest)
    }

    @Test("opens a WebSocket")
    func webSocket() async {
        let response = await get("/ws", HTTPRequest.upgrade)
        #expect(response.statusCode == .switchingProtocols)
        #expect(response.headers[.webSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("opens no WebSocket for HTTP/1.0, nor for a request with a body", arguments: ["1.0", "body"])
    func badUpgrade(problem: String) async {
        var request = HTTPRequest.sample(.GET, "/ws", headers: HTTPRequest.upgrade)
        if problem == "1.0" { request.version = HTTPVersion("HTTP/1.0") } else { request.setBodyData(Data("x".utf8)) }
        #expect(await app.handleRequest(request).statusCode == .upgradeRequired)
    }

    @Test("says that /ws is for WebSockets")
    func upgradeRequired() async {
        #expect(await get("/ws").statusCode == .upgradeRequired)
    }

    @Test("refuses a WebSocket when there are too many")
    func tooMany() async {
        let first = broadcaster.join()
        #expect(await get("/ws", HTTPRequest.upgrade).statusCode == .serviceUnavailable)
        withExtendedLifetime(first) {}
    }

    @Test("keeps no place for a handshake that failed")
    func badHandshake() async {
        let headers = HTTPRequest.upgrade.merging(["Sec-WebSocket-Key": "short"]) { $1 }
        #expect(await get("/ws", headers).statusCode == .badRequest)
        #expect(broadcaster.count == 0)
    }
}
