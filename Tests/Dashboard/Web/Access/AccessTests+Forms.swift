import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff

/// Tests of the login page, its form and its redirection.
extension AccessTests {
    @Test("without a configured token, the login page leads to the dashboard")
    func loginWithoutToken() async throws {
        config.update { ($0.effective.web.token, $0.effective.web.viewToken) = (nil, nil) }
        app.followTokens(config.value.effective.web)
        let response = await ask(.GET, "/login")
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/")
        #expect(response.headers[.cacheControl] == "no-store")
    }

    @Test("a login page in place of another page has the WWW-Authenticate header of a refusal")
    func refusalHeaders() async {
        let response = await ask(.GET, "/test", ["Accept": "text/html"])
        #expect(response.headers[HTTPHeader("WWW-Authenticate")] == "Bearer realm=\"Swatchcam\"")
    }

    @Test("a browser with a wrong token gets a login page that says so")
    func wrongTokenPage() async throws {
        let headers = bearer("wrong").merging(["Accept": "text/html"]) { $1 }
        let response = await ask(.GET, "/test", headers)
        #expect(response.statusCode == .unauthorized)
        let page = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(page.contains(#"id="problem""#))
    }

    @Test("a refused login has the WWW-Authenticate header of a refusal, and its form keeps the next page")
    func refusedLogin() async throws {
        let response = await logIn("token=wrong&next=/test")
        #expect(
            response.headers[HTTPHeader("WWW-Authenticate")]
                == "Bearer realm=\"Swatchcam\", error=\"invalid_token\"")
        let page = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(page.contains(#"name="next" value="/test""#))
    }

    @Test("a login is accepted only as a form")
    func noForm() async {
        let response = await ask(
            .POST, "/login", ["Content-Type": "application/json", "Origin": "http://localhost:8080"],
            body: "token=\(Self.token)")
        #expect(response.statusCode == .unsupportedMediaType)
    }

    @Test("the form of a login may have 4,096 bytes, and no more", arguments: [(4096, 303), (4097, 413)])
    func formLength(length: Int, status: Int) async {
        let fields = "token=\(Self.token)&other="
        let form = fields + String(repeating: "x", count: length - fields.utf8.count)
        #expect(await logIn(form).statusCode.code == status)
    }

    @Test(
        "the token may have blanks around it, as after pasting",
        arguments: ["+%", "%+", "%09%", "%%0d%0a", "++%%0A"])
    func pasted(pattern: String) async {
        // A per cent sign that does not begin an escape stands for the token.
        let form = pattern.replacing(/%(?![0-9A-Fa-f]{2})/) { _ in Self.token }
        #expect(await logIn("token=\(form)").statusCode == .seeOther)
    }

    @Test("a field may contain an equals sign, and the first one of a name counts")
    func fields() async {
        let response = await logIn("tokens=x&next=/test?x=1&token=\(Self.token)&token=wrong&next=/kiosk")
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/test?x=1")
    }

    @Test("a login without a token is refused, and one without a page leads to the dashboard")
    func missingFields() async {
        #expect(await logIn("next=/test").statusCode == .unauthorized)
        #expect(await logIn("token=\(Self.token)").headers[.location] == "/")
    }

    @Test("a login with bytes that are not UTF-8 is refused")
    func invalidFields() async {
        let request = HTTPRequest.sample(
            .POST, "/login", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Data("token=".utf8) + [0xFF])
        #expect(await app.handleRequest(request).statusCode == .unauthorized)
    }

    @Test(
        "logging in leads only to a path of letters, digits and -._~/?=&, of at most 512 bytes",
        arguments: [
            ("/azAZ09-._~/?=,", true), ("/a%26b", true), ("/a:b", false), ("/a%2bb", false), ("/a@b", false),
            ("/a%5Bb", false), ("/a%60b", false), ("/a%7Bb", false), ("/" + String(repeating: "a", count: 511), true),
            ("/" + String(repeating: "a", count: 512), false),
        ])
    func path(next: String, isKept: Bool) async {
        let response = await logIn("token=\(Self.token)&next=\(next)")
        #expect(response.headers[.location] == (isKept ? next.replacing("%26", with: "&") : "/"))
    }

    @Test("logging in again ends the former session of the browser")
    func again() async throws {
        let former = try await session()
        let response = await ask(
            .POST, "/login",
            [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8080",
                "Cookie": former,
            ], body: "token=\(Self.token)")
        #expect(response.statusCode == .seeOther)
        #expect(await ask(.GET, "/api/reading", ["Cookie": former]).statusCode == .unauthorized)
    }

    @Test("the session may be the 256th cookie of a request, but not a later one", arguments: [(255, 200), (256, 401)])
    func cookies(others: Int, status: Int) async throws {
        let all = (0..<others).map { "other\($0)=x" } + [try await session()]
        #expect(
            await ask(.GET, "/api/reading", ["Cookie": all.joined(separator: "; ")]).statusCode.code == status)
    }

    /// Makes an app whose clock a test moves.
    private func app(with clock: ManualClock, _ broadcaster: WebSocketBroadcaster) throws -> WebApp {
        var shared = try SharedState.sample()
        (shared.config, shared.pictures, shared.clocks) = (config, pictures, clock.clocks)
        return try WebApp.sample(shared, broadcaster: broadcaster)
    }

    private func logIn(to app: WebApp) async throws -> String {
        let response = await app.handleRequest(
            .sample(
                .POST, "/login", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data("token=\(Self.token)".utf8)))
        return String(try #require(response.headers[.setCookie]).prefix { $0 != ";" })
    }

    private func principal(_ cookie: String, of app: WebApp) -> Principal? {
        app.access.principal(of: .sample(headers: ["Cookie": cookie]), from: Client())
    }

    @Test("a session with an open WebSocket or stream does not expire, and another one does")
    func touched() async throws {
        let clock = ManualClock()
        let app = try app(with: clock, broadcaster)
        let (one, two, three) = (try await logIn(to: app), try await logIn(to: app), try await logIn(to: app))
        let socket = try #require(broadcaster.join(principal(one, of: app)?.session))
        let stream = try #require(pictures.join(.live, session: principal(two, of: app)?.session))
        for _ in 1...2 {
            clock.advance(by: .seconds(29 * 24 * 3600))
            app.touchSessions()
        }
        #expect(principal(one, of: app) != nil)
        #expect(principal(two, of: app) != nil)
        #expect(principal(three, of: app) == nil)
        withExtendedLifetime((socket, stream)) {}
    }

    @Test("a login does not displace a session with an open WebSocket, but the one used least recently")
    func displaced() async throws {
        let clock = ManualClock()
        let app = try app(with: clock, broadcaster)
        let (one, two) = (try await logIn(to: app), try await logIn(to: app))
        let socket = try #require(broadcaster.join(principal(one, of: app)?.session))
        clock.advance(by: .seconds(1))
        // Only the open WebSocket makes the other session the more recent one.
        #expect(principal(two, of: app) != nil)
        for _ in 3...129 {
            clock.advance(by: .seconds(1))
            _ = try await logIn(to: app)
        }
        #expect(principal(one, of: app) != nil)
        #expect(principal(two, of: app) == nil)
        withExtendedLifetime(socket) {}
    }
}
