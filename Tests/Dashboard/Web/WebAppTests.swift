import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Web app")
struct WebAppTests: RouteTests {
    var readings: Latest<Reading> { shared.readings }
    var config: Latest<Settings> { shared.config }
    let app: WebApp

    init() throws { app = try WebApp.sample(.sample()) }

    @Test("the pages, the newest reading and the configuration are served; the dashboard must not be cached")
    func documents() async throws {
        readings.publish(.noCamera)
        config.update { $0.effective.picture.quality = 42 }
        for (path, document) in [
            ("/api/reading", Reading.noCamera.json()),
            ("/api/config", ConfigSchema.json(config.value.effective, path: nil)),
        ] {
            let response = await get(path)
            #expect(response.headers[.contentType] == "application/json")
            #expect(try await response.bodyData == document)
        }
        let dashboard = await get("/")
        #expect(dashboard.statusCode == .ok)
        #expect(dashboard.headers[.contentType] == "text/html; charset=utf-8")
        #expect(dashboard.headers[.cacheControl] == "no-store")
        #expect(try await text(get("/measuring")).contains(#"id="standard-error""#))
    }

    @Test(
        "an unknown path is not found",
        arguments: [
            "", "//", "/index.html", "/resources/", "/resources", "/resources/none.css", "/Resources/swatchcam.css",
            "/resources/../Package.swift", "/resources/%2e%2e/Package.swift", "/resources/..%2fPackage.swift",
            "/resources//etc/passwd", "/resources/%73watchcam.css", "*", "http:/localhost:8080/",
        ])
    func notFound(path: String) async throws {
        #expect(try await refusal(get(path)) == "404 not-found")
    }

    @Test(
        "a wrong method is answered with the allowed ones",
        arguments: [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .PATCH], ["/", "/api/reading", "/ws"])
    func wrongMethod(method: HTTPMethod, path: String) async throws {
        let response = await send(method, path)
        #expect(try await refusal(response) == "405 method-not-allowed")
        #expect(response.headers[HTTPHeader("Allow")] == "GET, HEAD")
    }

    @Test(
        "the kiosk shows the picture if the configuration or the address says so; another word is refused",
        arguments: [("/kiosk", false), ("/kiosk?show=picture", true), ("/kiosk?show=color", false)])
    func kiosk(path: String, showsPicture: Bool) async throws {
        for (configured, expected) in [
            (Config.Kiosk.Show.color, showsPicture), (.picture, path != "/kiosk?show=color"),
        ] {
            config.update { $0.effective.kiosk.show = configured }
            let page = try await text(get(path))
            #expect(page.contains(#"id="picture""#) == expected)
        }
        #expect(try await refusal(get("/kiosk?show=all")) == "400 bad-show")
    }

    @Test(
        "HEAD is answered like GET, without the body",
        arguments: ["/", "/api/reading", "/resources/swatchcam.css", "/x"])
    func head(path: String) async throws {
        let get = await get(path)
        let head = await send(.HEAD, path)
        #expect(head.statusCode == get.statusCode)
        #expect(head.headers[.contentLength] == String(try await get.bodyData.count))
        #expect(try await head.bodyData.isEmpty)
    }

    @Test(
        "the absolute form of an address is accepted if it names the same host as the Host field",
        arguments: [
            ("http://localhost:8080/api/reading", 200), ("HTTP://localhost:8080/api/difference?from=red&to=red", 200),
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
        #expect(
            try await refusal(app.handleRequest(.sample(HTTPMethod(rawValue: name), "/api/reading")))
                == "501 unknown-method")
    }

    @Test("an invalid request gets an error in the usual form")
    func malformed() async throws {
        let response = await app.handleMalformedRequest(statusCode: .badRequest, message: "This is no request.")
        #expect(response.statusCode == .badRequest)
        #expect(response.headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(response.headers[.date] != nil)
        #expect(try await error(in: response) == ["code": "malformed-request", "message": "This is no request."])
    }

    @Test("the request guard checks requests for every path")
    func guarded() async throws {
        #expect(try await refusal(get("/api/reading", ["Host": "evil.example"])) == "421 wrong-host")
    }

    @Test("a body that ends before its time is reported, and nothing is changed")
    func incompleteBody() async throws {
        var request = HTTPRequest.sample(.PUT, "/api/settings", headers: ["Content-Type": "application/json"])
        let clock = ManualClock()
        var clocks = clock.clocks
        clocks.now = {
            clock.advance(by: SharedBody.grace + 1)
            return clock.now
        }
        let body = SharedBody(pieces: [Data(#"{"effect""#.utf8)], held: [], clocks: clocks)
        request.bodySequence = HTTPBodySequence(from: body, count: 100)
        let response = await app.handleRequest(request)
        #expect(try await refusal(response) == "408 incomplete-body")
        #expect(config.value.effective == Config())
    }

    @Test(
        "a page of one test colour is served under its name or six digits, and under no other name",
        arguments: [
            ("red", "#FF0000"), ("green", "#00FF00"), ("blue", "#0000FF"), ("white", "#FFFFFF"), ("black", "#000000"),
            ("3fa7d6", "#3FA7D6"),
        ])
    func testColor(name: String, hex: String) async throws {
        let response = await get("/test/\(name)")
        #expect(response.statusCode == .ok)
        #expect(try await text(response).contains(hex))
        for other in ["Red", "yellow", "3fa7d", "3fa7d6f", ""] {
            #expect(try await refusal(get("/test/\(other)")) == "404 no-such-color", "\(other)")
        }
    }

    private let browser = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]

    @Test("an error is explained to a browser in a page, with the status and the headers that programs get")
    func problemPage() async throws {
        let response = await get("/ws", browser)
        #expect(response.statusCode == .upgradeRequired)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.upgrade] == "websocket")
        let page = try await text(response)
        #expect(page.contains("This address accepts only WebSocket connections, version 13."))
    }

    @Test("the text of an error cannot put markup into the page")
    func hostileProblem() async throws {
        let page = try Pages(templates: nil, resources: nil).problem(
            "<i>", message: "<script>alert(1)</script>", at: "/x")
        #expect(!page.contains("<i>") && !page.contains("<script>"))
    }

    @Test(
        "a program, or an unsafe request, gets its error as JSON and not in a page", arguments: ["program", "unsafe"])
    func problemJSON(kind: String) async throws {
        let response =
            kind == "program"
            ? await get("/nothing", ["Accept": "*/*"])
            : await send(.POST, "/nothing", headers: browser)
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await code(response) == "not-found")
    }

    @Test("the template of a page gets the path of the manifest")
    func manifestPath() async throws {
        let folder = try TemporaryFolder(["problem.mustache": "{{manifest}}"])
        let pages = try Pages(templates: folder.path, resources: nil)
        #expect(try pages.problem("", message: "", at: "/x") == "./manifest.webmanifest")
    }

    @Test("the manifest leads to icons that exist, in the folder of the resources")
    func manifest() async throws {
        let response = await get("/manifest.webmanifest")
        #expect(response.headers[.contentType] == "application/manifest+json")
        let json = try await json(response)
        #expect(json["start_url"] as? String == "./")
        let icons = try #require(json["icons"] as? [[String: String]])
        #expect(icons.count == 4)
        for icon in icons { #expect(await get("/" + (try #require(icon["src"]))).statusCode == .ok) }
    }

    // MARK: The health check

    @Test(
        "the program is healthy while readings are fresh and have a colour",
        arguments: [Reading.State.live, .testPattern])
    func healthy(state: Reading.State) async throws {
        readings.publish(Reading.sample.with { ($0.state, $0.time) = (state, .now) })
        let response = await get("/healthz")
        #expect(response.statusCode == .ok)
        #expect(
            try await response.bodyData
                == Data(#"{"pictures":{"encoded":0,"passedOn":0,"viewers":0},"status":"ok"}"#.utf8))
    }

    @Test("the program is not healthy if the newest colour has expired")
    func expired() async throws {
        readings.publish(Reading.sample.with { ($0.time, $0.expiry) = (.now, .now()) })
        #expect(try await refusal(get("/healthz")) == "503 lost")
    }

    @Test("health reports the reason for a missing colour")
    func unhealthy() async throws {
        readings.publish(Reading.noCamera.with { $0.time = .now })
        let response = await get("/healthz")
        #expect(response.statusCode == .serviceUnavailable)
        #expect(
            try await error(in: response) == ["code": "no-camera", "message": "There is no camera. Connect one."])
    }

    @Test(
        "health reports a missing colour under its state",
        arguments: ["starting", "no-camera", "denied", "busy", "no-signal", "lost", "unsupported", "failed"])
    func states(code: String) async throws {
        let state = try #require(Reading.State(rawValue: code))
        readings.publish(Reading.noCamera.with { ($0.state, $0.message) = (state, nil) })
        #expect(
            try await error(in: get("/healthz")) == ["code": code, "message": "There is no colour: \(code)."])
    }

    // MARK: WebSockets

    @Test("a WebSocket can be opened")
    func webSocket() async {
        let response = await get("/ws", HTTPRequest.upgrade)
        #expect(response.statusCode == .switchingProtocols)
        #expect(response.headers[.webSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("the refusal of a plain request for /ws names the protocol and its version")
    func upgradeHeaders() async throws {
        let response = await get("/ws")
        #expect(response.statusCode == .upgradeRequired)
        #expect(response.headers[.upgrade] == "websocket")
        #expect(response.headers[.connection] == "upgrade")
        #expect(response.headers[.webSocketVersion] == "13")
        #expect(
            try await error(in: response) == [
                "code": "websocket-only",
                "message": "This address accepts only WebSocket connections, version 13.",
            ])
    }

    @Test("a WebSocket is refused with a body, and for another version or protocol", arguments: 0..<3)
    func badUpgrade(_ index: Int) async {
        let change = [["Sec-WebSocket-Version": "12"], ["Upgrade": "h2c"], [:]][index]
        var request = HTTPRequest.sample(.GET, "/ws", headers: HTTPRequest.upgrade.merging(change) { $1 })
        if index == 2 { request.setBodyData(Data("x".utf8)) }
        #expect(await app.handleRequest(request).statusCode == .upgradeRequired)
    }

    @Test("HTTP/1.0, which has no WebSockets, is named as the reason", arguments: [HTTPRequest.upgrade, [:]])
    func oldVersion(headers: [String: String]) async throws {
        var request = HTTPRequest.sample(.GET, "/ws", headers: headers)
        request.version = HTTPVersion("HTTP/1.0")
        #expect(try await refusal(app.handleRequest(request)) == "505 old-version")
    }

    @Test("a WebSocket beyond the limit is refused", arguments: ["/ws", "/ws/picture", "/ws/fleet"])
    func tooMany(path: String) async throws {
        let all = try #require(app.shares.sockets.begin(.max, for: ClientKey(access: .control)))
        let response = await get(path, HTTPRequest.upgrade)
        #expect(try await refusal(response) == "503 too-many-clients")
        #expect(response.headers[.connection] == "close")
        withExtendedLifetime(all) {}
    }

    @Test("a WebSocket for the fleet is refused beyond a limit of its own, and others are not")
    func tooManyWalls() async throws {
        let all = try #require(app.shares.fleetViewers.begin(.max, for: ClientKey(access: .control)))
        #expect(try await code(get("/ws/fleet", HTTPRequest.upgrade)) == "too-many-clients")
        #expect(app.fleetSockets.count == 0)
        #expect(await get("/ws", HTTPRequest.upgrade).statusCode == .switchingProtocols)
        withExtendedLifetime(all) {}
    }

    @Test("a failed handshake does not occupy a place")
    func badHandshake() async throws {
        let response = await get("/ws", HTTPRequest.upgrade.merging(["Sec-WebSocket-Key": "short"]) { $1 })
        #expect(try await refusal(response) == "400 bad-handshake")
        #expect(app.broadcaster.count == 0)
    }
}
