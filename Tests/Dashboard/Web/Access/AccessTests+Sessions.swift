import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import State

/// Tests of the login page, its form and its redirection, and of what ends a session.
extension AccessTests {
    @Test("a browser with a wrong token gets a login page that says so")
    func wrongTokenPage() async throws {
        let headers = bearer("wrong").merging(["Accept": "text/html"]) { $1 }
        let response = await ask(.GET, "/test", headers)
        #expect(response.statusCode == .unauthorized)
        let page = try await text(response)
        #expect(page.contains(#"id="problem""#))
    }

    @Test("a refused login sets no cookie, has the WWW-Authenticate header, and its form keeps the next page")
    func refusedLogin() async throws {
        let response = await logIn("token=\(Self.token)x&next=/test")
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.setCookie] == nil)
        #expect(
            response.headers[HTTPHeader("WWW-Authenticate")]
                == "Bearer realm=\"Swatchcam\", error=\"invalid_token\"")
        let page = try await text(response)
        #expect(page.contains(#"name="next" value="/test""#) && page.contains("This token is not valid."))
    }

    @Test("a login is accepted only as a form")
    func noForm() async {
        let response = await logIn("token=\(Self.token)", ["Content-Type": "application/json"])
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
        #expect(response.headers[.location] == "./login?after=/test%3Fx%3D1")
    }

    @Test("a login without a token is refused, and one without a page leads to the dashboard")
    func missingFields() async {
        #expect(await logIn("next=/test").statusCode == .unauthorized)
        #expect(await logIn("token=\(Self.token)").headers[.location] == "./login?after=/")
    }

    @Test("a login with bytes that are not UTF-8 is refused")
    func invalidFields() async {
        let request = HTTPRequest.sample(
            .POST, "/login", headers: Self.form, body: Data("token=".utf8) + [0xFF])
        #expect(await app.handleRequest(request).statusCode == .unauthorized)
    }

    @Test(
        "logging in leads only to a path of letters, digits and -._~/?=&, of at most 512 bytes",
        arguments: [
            ("/azAZ09-._~/?=,", true), ("/a%26b", true), ("/a:b", false), ("/a%2bb", false), ("/a@b", false),
            ("/a%5Bb", false), ("/a%60b", false), ("/a%7Bb", false), ("/" + String(repeating: "a", count: 511), true),
            ("/" + String(repeating: "a", count: 512), false), ("//evil.example", false),
            ("https://evil.example", false), ("/%5Cevil.example", false), ("/\\evil.example", false), ("evil", false),
            ("", false), ("/%0d%0aX:y", false), ("/../x", false), ("/a/..//x", false),
        ])
    func path(next: String, isKept: Bool) async {
        let response = await logIn("token=\(Self.token)&next=\(next)")
        let escaped = next.replacing("?", with: "%3F").replacing("=", with: "%3D")
        #expect(response.headers[.location] == "./login?after=" + (isKept ? escaped : "/"))
    }

    @Test("logging in again ends the former session of the browser")
    func again() async throws {
        let former = try await session()
        #expect(await logIn("token=\(Self.token)", ["Cookie": former]).statusCode == .seeOther)
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
            .sample(.POST, "/login", headers: Self.form, body: Data("token=\(Self.token)".utf8)))
        return String(try #require(response.headers[.setCookie]).prefix { $0 != ";" })
    }

    func principal(_ cookie: String, of app: WebApp) -> Principal? {
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

    @Test("without a configured token, the login page and any form lead to the dashboard, without a cookie")
    func loginWithoutToken() async throws {
        let app = try WebApp.sample(.sample(), broadcaster: broadcaster)
        let form = Data("token=a%0d%0aSet-Cookie:%20b=c".utf8)
        for request in [HTTPRequest.sample(.GET, "/login"), .sample(.POST, "/login", headers: Self.form, body: form)] {
            let response = await app.handleRequest(request)
            #expect(response.statusCode == .seeOther)
            #expect(response.headers[.location] == "./")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.headers[.setCookie] == nil)
        }
    }

    // MARK: Sessions

    @Test("the session cookie is HttpOnly and SameSite, and is not the token")
    func logIn() async throws {
        let response = await logIn("token=\(Self.token)&next=%2Ftest")
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "./login?after=/test")
        let cookie = try #require(response.headers[.setCookie])
        #expect(
            cookie.wholeMatch(
                of: /swatchcam-8080=[\w\-]{43}; HttpOnly; SameSite=Strict; Max-Age=34560000/) != nil)
        #expect(!cookie.contains(Self.token))
    }

    @Test("after the login, a browser that has kept the cookie comes to the page, and any other learns why not")
    func keptCookie() async throws {
        let address = "/login?after=/test%3Fx%3D1"
        let kept = await ask(.GET, address, ["Cookie": try await session()])
        #expect(kept.statusCode == .seeOther)
        #expect(kept.headers[.location] == "./test?x=1")
        let dropped = await ask(.GET, address)
        #expect(dropped.statusCode == .unauthorized)
        let page = try #require(try await String(data: dropped.bodyData, encoding: .utf8))
        #expect(page.contains("The token is right, but the browser has not kept the login."))
        #expect(page.contains(#"value="/test?x=1""#))
        #expect(WebApp.cookieProblem(for: Client()).code == "cookie-not-kept")
    }

    @Test("in a frame, the session cookie is one of the site around it over TLS, and else as everywhere")
    func framedCookie() {
        let framed = app.access.cookie("id", for: Client(usesTLS: true), isFramed: true)
        #expect(
            framed
                == "__Secure-swatchcam-8080=id; HttpOnly; SameSite=None; Partitioned; Max-Age=34560000; Secure")
        let plain = app.access.cookie("id", for: Client(), isFramed: true)
        #expect(plain == "swatchcam-8080=id; HttpOnly; SameSite=Strict; Max-Age=34560000")
    }

    @Test("the session cookie of a TLS connection is only for TLS")
    func logInSecurely() {
        let cookie = app.access.cookie("id", for: Client(usesTLS: true))
        #expect(
            cookie == "__Secure-swatchcam-8080=id; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure")
    }

    @Test("the cookie of a session grants access", arguments: ["%", "a=b; %; c=d", "swatchcam-8080=planted; %", "a;%"])
    func withSession(pattern: String) async throws {
        let cookie = pattern.replacing("%", with: try await session())
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .ok)
    }

    @Test("a session grants the same access as the token it began with")
    func sessionAccess() async throws {
        let (view, control) = (try await session(Self.viewToken), try await session())
        #expect(await ask(.POST, "/api/camera/toggle", ["Cookie": view]).statusCode == .forbidden)
        #expect(await ask(.POST, "/api/camera/toggle", ["Cookie": control]).statusCode != .forbidden)
    }

    @Test("a session cookie of plain HTTP grants no access over TLS, where other hosts cannot plant cookies")
    func secureSession() async throws {
        var request = HTTPRequest.sample(headers: ["Cookie": try await session()])
        #expect(app.access.principal(of: request, from: Client(usesTLS: true)) == nil)
        request.headers[.cookie] = "__Secure-" + (request.headers[.cookie] ?? "")
        #expect(app.access.principal(of: request, from: Client(usesTLS: true)) != nil)
        #expect(app.access.principal(of: request, from: Client(usesTLS: false)) == nil)
    }

    @Test("cookies planted by a page on another port do not count as guesses, and logging in still works")
    func plantedCookies() async throws {
        for number in 1...100 {
            #expect(
                await ask(.GET, "/api/reading", ["Cookie": "swatchcam-8080=x\(number)"]).statusCode == .unauthorized)
        }
        #expect(await logIn("token=\(Self.token)", ["Cookie": "swatchcam-8080=x"]).statusCode == .seeOther)
    }

    func join(_ cookie: String) async throws -> (socket: Subscription, stream: PictureSubscription) {
        let principal = try #require(self.principal(cookie, of: app))
        return (
            try #require(broadcaster.join(principal.session)),
            try #require(pictures.join(.live, session: principal.session))
        )
    }

    @Test("logging out ends the session and its open connections, and no other session")
    func logOut() async throws {
        let (mine, other) = (try await session(), try await session())
        let (opened, others) = (try await join(mine), try await join(other))
        let response = await ask(.POST, "/logout", ["Cookie": mine])
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.setCookie] == "swatchcam-8080=; HttpOnly; SameSite=Strict; Max-Age=0")
        #expect(await ask(.GET, "/api/reading", ["Cookie": mine]).statusCode == .unauthorized)
        #expect(await opened.socket.outbox.next() == .close(code: WSCloseCode(1008, reason: "logged out")))
        #expect(await opened.stream.next(within: .seconds(3600)) == nil)
        #expect(await ask(.GET, "/api/reading", ["Cookie": other]).statusCode == .ok)
        broadcaster.offer(TextFrame(text: Data("reading".utf8)))
        #expect(await others.socket.outbox.next() == TextFrame(text: Data("reading".utf8)).frame)
        withExtendedLifetime(others) {}
    }

    @Test("changed tokens end all sessions and their open connections")
    func newTokens() async throws {
        let cookie = try await session()
        let opened = try await join(cookie)
        var web = config.value.effective.web
        web.token = Token(String(repeating: "n", count: 32))
        app.followTokens(web)
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .unauthorized)
        #expect(await ask(.GET, "/api/reading", bearer(Self.token)).statusCode == .unauthorized)
        #expect(await ask(.GET, "/api/reading", bearer(String(repeating: "n", count: 32))).statusCode == .ok)
        #expect(await opened.socket.outbox.next() == .close(code: WSCloseCode(1008, reason: "logged out")))
        #expect(await opened.stream.next(within: .seconds(3600)) == nil)
    }

    @Test("an edit that does not change the tokens keeps the sessions")
    func sameTokens() async throws {
        let cookie = try await session()
        app.followTokens(config.value.effective.web)
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .ok)
    }

    @Test("a session that ended during a request opens no connection", arguments: [true, false])
    func endedDuringRequest(isLoggedOut: Bool) async throws {
        let cookie = try await session()
        let principal = try #require(self.principal(cookie, of: app))
        #expect(app.access.stillAdmits(principal))
        if isLoggedOut {
            _ = await ask(.POST, "/logout", ["Cookie": cookie])
        } else {
            var web = config.value.effective.web
            web.viewToken = nil
            app.followTokens(web)
        }
        #expect(!app.access.stillAdmits(principal))
    }
}
