import FlyingFox
import Foundation
import Logging
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Access")
struct AccessTests: RouteTests {
    static let token = String(repeating: "c", count: 32)
    static let viewToken = String(repeating: "v", count: 32)
    let config: Latest<Settings>
    let broadcaster = WebSocketBroadcaster()
    let pictures = PictureHub()
    let app: WebApp

    init() throws {
        var config = Config()
        (config.web.token, config.web.viewToken) = (Token(Self.token), Token(Self.viewToken))
        var shared = try SharedState.sample()
        self.config = Latest(Settings(config))
        (shared.config, shared.pictures, shared.clocks) = (self.config, pictures, ManualClock().clocks)
        app = try WebApp.sample(shared, broadcaster: broadcaster)
    }

    func ask(
        _ method: HTTPMethod = .GET, _ path: String, _ headers: [String: String] = [:], body: String = ""
    ) async -> HTTPResponse {
        var request = HTTPRequest.sample(method, path, headers: headers, body: Data(body.utf8))
        request.remoteAddress = .ip4("192.0.2.1", port: 1)
        return await app.handleRequest(request)
    }

    static let form = ["Content-Type": "application/x-www-form-urlencoded"]

    func logIn(_ fields: String, _ headers: [String: String] = [:]) async -> HTTPResponse {
        let usual = Self.form.merging(["Origin": "http://localhost:8080"]) { $1 }
        return await ask(.POST, "/login", usual.merging(headers) { $1 }, body: fields)
    }

    /// Returns the cookie of a browser that has logged in.
    func session(_ token: String = token) async throws -> String {
        let cookie = try #require(await logIn("token=\(token)").headers[.setCookie])
        return String(cookie.prefix { $0 != ";" })
    }

    func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    @Test("a request without a token is refused, unless its route is open")
    func withoutToken() async throws {
        for route in app.routes where route.right != .open {
            let response = await ask(route.method, route.path)
            #expect(try await refusal(response) == "401 no-token")
            #expect(response.headers[HTTPHeader("WWW-Authenticate")] == "Bearer realm=\"Swatchcam\"")
        }
    }

    @Test(
        "a request with the right token is accepted",
        arguments: [
            ["Authorization": "Bearer \(token)"], ["authorization": "bearer  \(token)"],
            ["Authorization": "Bearer \(viewToken)"],
        ])
    func withToken(headers: [String: String]) async {
        #expect(await ask(.GET, "/api/reading", headers).statusCode == .ok)
    }

    @Test(
        "a request with a wrong token, or with one in its address, is refused",
        arguments: [
            ["Authorization": "Bearer \(token)x"], ["Authorization": "Basic \(token)"], ["Authorization": token],
            ["Cookie": "swatchcam-8080=\(token)"], ["Cookie": "swatchcam-8080="], ["Authorization": "Bearer "],
            ["Cookie": "swatchcam-8080"], ["Cookie": "__Secure-swatchcam-8080=\(token)"], ["Cookie": ";=;;"],
        ])
    func withWrongToken(headers: [String: String]) async {
        #expect(await ask(.GET, "/api/reading", headers).statusCode == .unauthorized)
        #expect(await ask(.GET, "/api/reading?token=\(Self.token)").statusCode == .unauthorized)
    }

    @Test("the control token is required for everything but GET")
    func readOnly() async throws {
        for route in app.routes where route.right != .open && route.method != .GET {
            #expect(try await refusal(ask(route.method, route.path, bearer(Self.viewToken))) == "403 read-only")
        }
    }

    @Test("the page for the view token has its controls disabled")
    func viewPage() async throws {
        let page = try await text(ask(.GET, "/", bearer(Self.viewToken)))
        #expect(page.contains(#"data-access="view""#))
        #expect(page.contains(#"<select id="effect" autocomplete="off" disabled>"#))
    }

    @Test("only a user who has logged in is offered to log out")
    func logOutButton() async throws {
        for (headers, isOffered) in [(["Cookie": try await session()], true), (bearer(Self.token), false)] {
            let page = try await text(ask(.GET, "/", headers))
            #expect(page.contains(#"action="./logout""#) == isOffered)
        }
    }

    @Test(
        "the login page and the built-in files need no token",
        arguments: [
            "/login", "/resources/swatchcam.css",
        ])
    func open(path: String) async {
        #expect(await ask(.GET, path).statusCode == .ok)
    }

    @Test("a browser without a token gets a login page that leads back")
    func loginPage() async throws {
        let response = await ask(.GET, "/test?x=1", ["Accept": "text/html,*/*;q=0.8", "Cookie": "other=1"])
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[HTTPHeader("WWW-Authenticate")] == "Bearer realm=\"Swatchcam\"")
        let page = try await text(response)
        #expect(!page.contains(#"id="problem""#))
        #expect(
            page.contains(#"name="next" value="/test?x&#61;1""#) || page.contains(#"name="next" value="/test?x=1""#))
    }

    @Test(
        "a program that does not ask for a page, or makes a change, gets the error",
        arguments: [
            (HTTPMethod.GET, "/test", [:]), (.GET, "/test", ["Accept": "application/json"]),
            (.POST, "/api/camera/toggle", ["Accept": "text/html"]),
        ])
    func noLoginPage(method: HTTPMethod, path: String, headers: [String: String]) async throws {
        let response = await ask(method, path, headers)
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.contentType] == "application/json")
    }

    @Test("ten wrong tokens delay further guesses, but not the right token")
    func guesses() async {
        for _ in 1...10 {
            #expect(await ask(.GET, "/api/reading", bearer("wrong")).statusCode == .unauthorized)
        }
        let response = await ask(.GET, "/api/reading", bearer("wrong"))
        #expect(response.statusCode == .tooManyRequests)
        #expect(response.headers[HTTPHeader("Retry-After")] == "60")
        #expect(await ask(.GET, "/api/reading", bearer(Self.token)).statusCode == .ok)
        #expect(await logIn("token=\(Self.token)").statusCode == .seeOther)
        #expect(await logIn("token=wrong").statusCode == .tooManyRequests)
    }

    /// Returns the answer of the health check about a reading.
    private func health(of reading: Reading, isKnown: Bool) async throws -> (status: HTTPStatusCode, text: String) {
        var shared = try SharedState.sample()
        shared.config = config
        shared.readings = Latest(reading)
        let response = try await WebApp.sample(shared, broadcaster: broadcaster).handleRequest(
            .sample(.GET, "/healthz", headers: isKnown ? bearer(Self.viewToken) : [:]))
        return (response.statusCode, try await text(response))
    }

    @Test("the reason for a missing colour requires a token, because it may name a process", arguments: [true, false])
    func health(isKnown: Bool) async throws {
        let (status, text) = try await health(of: .noCamera, isKnown: isKnown)
        #expect(status == .serviceUnavailable)
        #expect(text.contains("There is no camera. Connect one.") == isKnown)
        #expect(text.contains(#""code":"no-camera""#))
    }

    @Test("the number of viewers requires a token", arguments: [true, false])
    func viewers(isKnown: Bool) async throws {
        // A reading at this rate is fresh for 3000 s.
        config.update { $0.effective.readings.rate = 0.001 }
        let (status, text) = try await health(of: .sample.with { $0.time = Date() }, isKnown: isKnown)
        #expect(status == .ok)
        #expect(text.contains(#""status":"ok""#))
        #expect(text.contains("viewers") == isKnown)
    }

    @Test("read access without a token is only for programs on this machine, if the configuration allows it")
    func localView() {
        let local = Client(isLocal: true)
        #expect(app.access.principal(of: .sample(), from: local) == nil)
        var web = config.value.effective.web
        web.localView = true
        let access = AccessControl(web, log: Logger(label: "test"))
        #expect(access.principal(of: .sample(), from: local) == Principal(access: .view))
        #expect(access.principal(of: .sample(headers: bearer(Self.token)), from: local) == Principal(access: .control))
        #expect(access.principal(of: .sample(headers: bearer("wrong")), from: local) == nil)
        #expect(access.principal(of: .sample(), from: Client()) == nil)
    }

    @Test("no answer contains the tokens")
    func hiddenTokens() async throws {
        let text = try await text(ask(.GET, "/api/config", bearer(Self.token)))
        #expect(text.contains(#""token":"hidden""#))
        #expect(!text.contains(Self.token) && !text.contains(Self.viewToken))
    }
}
