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

@Suite("Web app")
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

    @Test("the dashboard is served and must not be cached")
    func dashboard() async {
        let response = await get("/")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
    }

    @Test("the newest reading is served")
    func reading() async throws {
        readings.publish(.noCamera)
        let response = await get("/api/reading")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.bodyData == Reading.noCamera.json())
    }

    @Test("the current configuration is served")
    func configuration() async throws {
        config.update { $0.picture.quality = 42 }
        let response = await get("/api/config")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.bodyData == ConfigSchema.json(config.value, path: nil))
    }

    @Test(
        "the program is healthy while readings are fresh and have a colour",
        arguments: [Reading.State.live, .testPattern])
    func healthy(state: Reading.State) async throws {
        // Three periods are far longer than the answer can take, so this reading stays fresh.
        config.update { $0.readings.rate = 0.001 }
        readings.publish(Reading.sample.with { ($0.state, $0.time) = (state, .now) })
        let response = await get("/healthz")
        #expect(response.statusCode == .ok)
        #expect(
            try await response.bodyData
                == Data(#"{"pictures":{"encoded":0,"passedOn":0,"viewers":0},"status":"ok"}"#.utf8))
    }

    @Test("the program is not healthy if the newest reading is old")
    func stale() async throws {
        readings.publish(Reading.sample.with { $0.time = .now - 3600 })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(try await error(in: response)["code"] == "stale")
    }

    @Test("the program is healthy while a camera delivers frames at its lowest rate")
    func slowCamera() async throws {
        app.sources.demand.framePeriod = 3600
        readings.publish(Reading.sample.with { $0.time = .now - 7200 })
        #expect(await get("/healthz").statusCode == .ok)
    }

    @Test("health reports the reason for a missing colour")
    func unhealthy() async throws {
        readings.publish(Reading.noCamera.with { $0.time = .now })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(
            try await error(in: response) == ["code": "no-camera", "message": "There is no camera. Connect one."])
    }

    @Test("a resource is served with its type and tag")
    func resource() async throws {
        let response = await get("/resources/swatchcam.css")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "text/css; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-cache")
        #expect(response.headers[.eTag]?.hasPrefix("\"") == true)
    }

    @Test("a resource that the client already has is not sent again", arguments: ["%", "W/%", "\"other\", %", "*"])
    func notModified(pattern: String) async throws {
        let tag = try #require(await get("/resources/swatchcam.css").headers[.eTag])
        let known = pattern.replacing("%", with: tag)
        let response = await get("/resources/swatchcam.css", ["If-None-Match": known])
        #expect(response.statusCode == .notModified)
        #expect(response.headers[.eTag] == tag)
        #expect(try await response.bodyData.isEmpty)
    }

    @Test(
        "an unknown path is not found",
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
        "a wrong method is answered with the allowed ones",
        arguments: [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .PATCH], ["/", "/api/reading", "/ws"])
    func wrongMethod(method: HTTPMethod, path: String) async throws {
        let response = await app.handleRequest(.sample(method, path))
        #expect(response.statusCode == .methodNotAllowed)
        #expect(response.headers[HTTPHeader("Allow")] == "GET, HEAD")
    }

    @Test(
        "the kiosk shows the picture if the configuration or the address says so",
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

    @Test("an unknown view for the kiosk is refused")
    func badKiosk() async throws {
        let response = await get("/kiosk?show=all")
        #expect(response.statusCode == .badRequest)
        #expect(try await error(in: response)["code"] == "bad-show")
    }

    @Test("files are served under versioned names that browsers may cache forever")
    func lastingResource() async throws {
        let page = String(decoding: try await get("/").bodyData, as: UTF8.self)
        let path = try #require(page.firstMatch(of: /"(\/resources\/v-[0-9a-f]+\/swatchcam.css)"/)?.1)
        let response = await get(String(path))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
    }

    @Test("no files are served under the name of another version")
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
        "the absolute form of an address is accepted if it names the same host as the Host field",
        arguments: [
            ("http://localhost:8080/api/reading", 200), ("HTTP://localhost:8080/api/reading?x=1", 200),
            ("http://localhost:8080", 200), ("http://evil.example/api/reading", 400), ("http:///api/reading", 400),
            ("http://127.0.0.1:8080/api/reading", 400),
        ])
    func absoluteForm(target: String, status: Int) async {
        #expect(await get(target).statusCode.code == status)
    }

    @Test(
        "unknown methods and methods in lower case are refused",
        arguments: ["PROPFIND", "MKCOL", "FOO", "get", "Get", "POST2"])
    func unknownMethod(name: String) async throws {
        let response = await app.handleRequest(.sample(HTTPMethod(rawValue: name), "/api/reading"))
        #expect(response.statusCode.code == 501)
        #expect(try await error(in: response)["code"] == "unknown-method")
    }

    @Test("every answer has a date", arguments: ["/", "/nothing"])
    func date(path: String) async {
        #expect(await get(path).headers[.date]?.hasSuffix(" GMT") == true)
    }

    @Test("an invalid request gets an error in the usual form")
    func malformed() async throws {
        let response = await app.handleMalformedRequest(statusCode: .badRequest, message: "This is no request.")
        #expect(response.statusCode == .badRequest)
        #expect(response.headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(response.headers[.date] != nil)
        #expect(try await error(in: response) == ["code": "malformed-request", "message": "This is no request."])
    }

    @Test("the description of the API is served, and not sent again to a client that has it")
    func description() async throws {
        let response = await get("/api/openapi.json")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-cache")
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        #expect(json?["openapi"] as? String != nil)
        let tag = try #require(response.headers[.eTag])
        #expect(await get("/api/openapi.json", ["If-None-Match": tag]).statusCode == .notModified)
    }

    @Test("a header field keeps all printable ASCII and nothing else")
    func printable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "\u{1F} ~\u{7F}x\u{E9}"
        #expect(response.finished(at: 0).headers[.location] == " ~x")
    }

    @Test("the response to HEAD keeps a length that is already set")
    func knownLength() {
        var response = HTTPResponse(content: Data("abc".utf8), type: "text/plain")
        response.headers[.contentLength] = "7"
        #expect(response.withoutBody.headers[.contentLength] == "7")
    }

    @Test("a response that ends the connection says so")
    func closing() {
        var error = HTTPError.notFound
        #expect(error.response.headers[.connection] == nil)
        error.closesConnection = true
        #expect(error.response.headers[.connection] == "close")
    }

    @Test("a header field cannot contain anything that would end it")
    func unprintable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "/a\r\nSet-Cookie: b\u{0}\u{85}c"
        response.headers.setValues(["d\r\n", "e"], for: .setCookie)
        let finished = response.finished(at: 0)
        #expect(finished.headers[.location] == "/aSet-Cookie: bc")
        #expect(finished.headers.values(for: .setCookie) == ["d", "e"])
    }

    @Test("every answer has the security headers", arguments: ["/", "/api/reading", "/nothing", "/ws"])
    func securityHeaders(path: String) async {
        let headers = await get(path).headers
        #expect(headers[HTTPHeader("Content-Security-Policy")]?.hasPrefix("default-src 'none';") == true)
        #expect(headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(headers[HTTPHeader("Referrer-Policy")] == "same-origin")
        #expect(headers[HTTPHeader("Cross-Origin-Resource-Policy")] == "same-origin")
        #expect(headers[HTTPHeader("Permissions-Policy")] != nil)
    }

    @Test("the request guard checks requests for every path")
    func guarded() async {
        #expect(await get("/api/reading", ["Host": "evil.example"]).statusCode == .misdirectedRequest)
    }

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

    @Test("a plain request for /ws is told that it is for WebSockets")
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

    @Test("a WebSocket of another version is refused, and of another protocol", arguments: ["version", "protocol"])
    func otherUpgrade(problem: String) async {
        let change = problem == "version" ? ["Sec-WebSocket-Version": "12"] : ["Upgrade": "h2c"]
        #expect(await get("/ws", HTTPRequest.upgrade.merging(change) { $1 }).statusCode == .upgradeRequired)
    }

    @Test("pages may load and do nothing but what the page itself needs")
    func exactHeaders() {
        let headers = HTTPResponse(statusCode: .ok).finished(at: 0).headers
        #expect(
            headers[HTTPHeader("Content-Security-Policy")]
                == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
        #expect(
            headers[HTTPHeader("Permissions-Policy")]
                == "camera=(), microphone=(), geolocation=(), display-capture=(), usb=()")
        #expect(headers[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test("the sites of the configuration may embed the pages")
    func frameAncestors() {
        let headers = HTTPResponse(statusCode: .ok).finished(frameAncestors: ["http://a", "https://b"], at: 0).headers
        #expect(
            headers[HTTPHeader("Content-Security-Policy")]?.hasSuffix("; frame-ancestors http://a https://b") == true)
    }

    @Test(
        "a page of one test colour is served under its name or six digits",
        arguments: [
            ("red", "#FF0000"), ("green", "#00FF00"), ("blue", "#0000FF"), ("white", "#FFFFFF"), ("black", "#000000"),
            ("3fa7d6", "#3FA7D6"),
        ])
    func testColor(name: String, hex: String) async throws {
        let response = await get("/test/\(name)")
        #expect(response.statusCode == .ok)
        #expect(String(decoding: try await response.bodyData, as: UTF8.self).contains(hex))
    }

    @Test("another name of a test colour is not found", arguments: ["Red", "yellow", "3fa7d", "3fa7d6f", ""])
    func noTestColor(name: String) async throws {
        let response = await get("/test/\(name)")
        #expect(response.statusCode == .notFound)
        #expect(try await error(in: response)["code"] == "no-such-color")
    }

    @Test("a WebSocket beyond the limit is refused")
    func tooMany() async {
        let first = broadcaster.join()
        #expect(await get("/ws", HTTPRequest.upgrade).statusCode == .serviceUnavailable)
        withExtendedLifetime(first) {}
    }

    @Test("a failed handshake does not occupy a place")
    func badHandshake() async {
        let headers = HTTPRequest.upgrade.merging(["Sec-WebSocket-Key": "short"]) { $1 }
        #expect(await get("/ws", headers).statusCode == .badRequest)
        #expect(broadcaster.count == 0)
    }
}
