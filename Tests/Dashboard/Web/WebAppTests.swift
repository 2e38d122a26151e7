import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("Web app")
struct WebAppTests {
    let readings = Latest(Reading.sample)
    let config = Latest(Settings())
    let pictures = PictureHub()
    let broadcaster = WebSocketBroadcaster()
    let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        shared.config = config
        shared.readings = readings
        shared.pictures = pictures
        app = try WebApp.sample(shared, broadcaster: broadcaster)
    }

    func get(_ path: String, _ headers: [String: String] = [:]) async -> HTTPResponse {
        await app.handleRequest(.sample(.GET, path, headers: headers))
    }

    func error(in response: HTTPResponse) async throws -> [String: String] {
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
        config.update { $0.effective.picture.quality = 42 }
        let response = await get("/api/config")
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await response.bodyData == ConfigSchema.json(config.value.effective, path: nil))
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
            config.update { $0.effective.kiosk.show = configured }
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

    @Test(
        "HEAD is answered like GET, without the body",
        arguments: ["/", "/api/reading", "/resources/swatchcam.css", "/x"])
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
        let response = await app.handleRequest(.sample(HTTPMethod(rawValue: name), "/api/reading"))
        #expect(response.statusCode.code == 501)
        #expect(try await error(in: response)["code"] == "unknown-method")
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
        let response = await get("/api/reading", ["Host": "evil.example"])
        #expect(response.statusCode == .misdirectedRequest)
        #expect(try await error(in: response)["code"] == "wrong-host")
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
        let body = SharedBody(content: Data(#"{"effect""#.utf8), places: nil, clocks: clocks)
        request.bodySequence = HTTPBodySequence(from: body, count: 100)
        let response = await app.handleRequest(request)
        #expect(response.statusCode == .requestTimeout)
        #expect(try await error(in: response)["code"] == "incomplete-body")
        #expect(config.value.effective == Config())
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

    @Test("the page of definitions is served")
    func definitions() async throws {
        let response = await get("/measuring")
        #expect(response.statusCode == .ok)
        #expect(String(decoding: try await response.bodyData, as: UTF8.self).contains(#"id="standard-error""#))
    }

    @Test("another name of a test colour is not found", arguments: ["Red", "yellow", "3fa7d", "3fa7d6f", ""])
    func noTestColor(name: String) async throws {
        let response = await get("/test/\(name)")
        #expect(response.statusCode == .notFound)
        #expect(try await error(in: response)["code"] == "no-such-color")
    }

    private let browser = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]

    @Test("an error is explained to a browser in a page, with the status and the headers that programs get")
    func problemPage() async throws {
        let response = await get("/ws", browser)
        #expect(response.statusCode == .upgradeRequired)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.upgrade] == "websocket")
        let page = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(page.contains("This address accepts only WebSocket connections, version 13."))
    }

    @Test("the text of an error cannot put markup into the page")
    func hostileProblem() async throws {
        let page = try Pages(templates: nil, resources: nil).problem("<i>", message: "<script>alert(1)</script>")
        #expect(!page.contains("<i>") && !page.contains("<script>"))
    }

    @Test(
        "a program, or an unsafe request, gets its error as JSON and not in a page", arguments: ["program", "unsafe"])
    func problemJSON(kind: String) async throws {
        let response =
            kind == "program"
            ? await get("/nothing", ["Accept": "*/*"])
            : await app.handleRequest(.sample(.POST, "/nothing", headers: browser))
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await error(in: response)["code"] == "not-found")
    }

    @Test("the template of a page gets the path of the manifest")
    func manifestPath() async throws {
        let folder = try TemporaryFolder(["problem.mustache": "{{manifest}}"])
        let pages = try Pages(templates: folder.path, resources: nil)
        #expect(try pages.problem("", message: "") == "/manifest.webmanifest")
    }

    @Test("the manifest leads to icons that exist, in the folder of the resources")
    func manifest() async throws {
        let response = await get("/manifest.webmanifest")
        #expect(response.headers[.contentType] == "application/manifest+json")
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        #expect(json?["start_url"] as? String == "/")
        let icons = try #require(json?["icons"] as? [[String: String]])
        #expect(icons.count == 4)
        for icon in icons { #expect(await get(try #require(icon["src"])).statusCode == .ok) }
    }
}
