import FlyingFox
import Foundation
import Logging
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff

@Suite("Access")
struct AccessTests {
    private static let token = String(repeating: "c", count: 32)
    private static let viewToken = String(repeating: "v", count: 32)
    private let config: Latest<Config>
    private let broadcaster = WebSocketBroadcaster(capacity: 2)
    private let pictures = PictureHub(capacity: 2)
    private let app: WebApp

    init() throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        var config = Config()
        (config.web.token, config.web.viewToken) = (Token(Self.token), Token(Self.viewToken))
        var sources = try WebSources.sample()
        self.config = Latest(config)
        (sources.config, sources.pictures) = (self.config, pictures)
        let start = ContinuousClock.now
        app = WebApp(
            sources: sources, pages: try Pages(templates: nil, resources: nil), broadcaster: broadcaster,
            now: { start }, log: log)
    }

    private func ask(
        _ method: HTTPMethod = .GET, _ path: String, _ headers: [String: String] = [:], body: String = ""
    ) async -> HTTPResponse {
        var request = HTTPRequest.sample(method, path, headers: headers, body: Data(body.utf8))
        request.remoteAddress = .ip4("192.0.2.1", port: 1)
        return await app.handleRequest(request)
    }

    /// The cookie of a browser that has logged in.
    private func session(_ token: String = token) async throws -> String {
        let cookie = try #require(await logIn("token=\(token)").headers[.setCookie])
        return String(cookie.prefix { $0 != ";" })
    }

    private func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    private static let secured = [
        "/", "/kiosk", "/test", "/test/red", "/api/reading", "/api/cameras", "/api/config", "/api/controls",
        "/api/settings",
        "/snapshot.jpg", "/stream.mjpg", "/ws",
    ]

    @Test("is refused without a token", arguments: secured)
    func withoutToken(path: String) async {
        let response = await ask(.GET, path)
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[HTTPHeader("WWW-Authenticate")] == "Bearer realm=\"Swatchcam\"")
    }

    @Test(
        "is given for the right token",
        arguments: [
            ["Authorization": "Bearer \(token)"], ["authorization": "bearer  \(token)"],
            ["Authorization": "Bearer \(viewToken)"],
        ])
    func withToken(headers: [String: String]) async {
        #expect(await ask(.GET, "/api/reading", headers).statusCode == .ok)
    }

    @Test(
        "is refused for anything else",
        arguments: [
            ["Authorization": "Bearer \(token)x"], ["Authorization": "Basic \(token)"], ["Authorization": token],
            ["Cookie": "swatchcam-8080=\(token)"], ["Cookie": "swatchcam-8080="], ["Authorization": "Bearer "],
            ["Cookie": "swatchcam-8080"], ["Cookie": "__Host-swatchcam-8080=\(token)"], ["Cookie": ";=;;"],
        ])
    func withWrongToken(headers: [String: String]) async {
        #expect(await ask(.GET, "/api/reading", headers).statusCode == .unauthorized)
    }

    @Test("by an address is never asked for or heeded")
    func inAddress() async {
        #expect(await ask(.GET, "/api/reading?token=\(Self.token)").statusCode == .unauthorized)
    }

    @Test(
        "to change something needs the token for that",
        arguments: [
            (HTTPMethod.PUT, "/api/settings"), (.POST, "/api/camera"), (.POST, "/api/camera/toggle"),
            (.PUT, "/api/controls/gain"), (.POST, "/api/controls/reset"), (.POST, "/api/lock"), (.DELETE, "/api/lock"),
        ])
    func readOnly(method: HTTPMethod, path: String) async throws {
        let response = await ask(method, path, bearer(Self.viewToken))
        #expect(response.statusCode == .forbidden)
        #expect(String(decoding: try await response.bodyData, as: UTF8.self).contains(#""code":"read-only""#))
    }

    @Test("to the page of somebody who may only look has nothing to press on it")
    func viewPage() async throws {
        let page = String(
            decoding: try await ask(.GET, "/", bearer(Self.viewToken)).bodyData, as: UTF8.self)
        #expect(page.contains(#"data-access="view""#))
        #expect(page.contains(#"<select id="effect" autocomplete="off" disabled>"#))
    }

    @Test(
        "is not needed to learn whether the program is well, and for what every copy of it has",
        arguments: [
            "/login", "/resources/swatchcam.css",
        ])
    func open(path: String) async {
        #expect(await ask(.GET, path).statusCode == .ok)
    }

    @Test("is asked of a person on a page that leads back")
    func loginPage() async throws {
        let response = await ask(.GET, "/test?x=1", ["Accept": "text/html,*/*;q=0.8", "Cookie": "other=1"])
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let page = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(!page.contains(#"id="problem""#))
        #expect(
            page.contains(#"name="next" value="/test?x&#61;1""#) || page.contains(#"name="next" value="/test?x=1""#))
    }

    private func logIn(_ fields: String, origin: String = "http://localhost:8080") async -> HTTPResponse {
        await ask(
            .POST, "/login", ["Content-Type": "application/x-www-form-urlencoded", "Origin": origin], body: fields)
    }

    @Test("by logging in is a cookie that no script reads, no other site sends, and that is not the token")
    func logIn() async throws {
        let response = await logIn("token=\(Self.token)&next=%2Ftest")
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/test")
        let cookie = try #require(response.headers[.setCookie])
        #expect(
            cookie.wholeMatch(
                of: /swatchcam-8080=[\w\-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000/) != nil)
        #expect(!cookie.contains(Self.token))
    }

    @Test("by logging in through TLS is a cookie for TLS and this host alone")
    func logInSecurely() {
        let cookie = app.access.cookie("id", for: Client(usesTLS: true))
        #expect(
            cookie == "__Host-swatchcam-8080=id; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure")
    }

    @Test("is given for the cookie of a session", arguments: ["%", "a=b; %; c=d", "swatchcam-8080=planted; %", "a;%"])
    func withSession(pattern: String) async throws {
        let cookie = pattern.replacing("%", with: try await session())
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .ok)
    }

    @Test("of a session is that of the token it began with")
    func sessionAccess() async throws {
        let (view, control) = (try await session(Self.viewToken), try await session())
        #expect(await ask(.POST, "/api/camera/toggle", ["Cookie": view]).statusCode == .forbidden)
        #expect(await ask(.POST, "/api/camera/toggle", ["Cookie": control]).statusCode != .forbidden)
    }

    @Test("by a session of plain HTTP does not count for TLS, where other hosts cannot plant cookies")
    func secureSession() async throws {
        var request = HTTPRequest.sample(headers: ["Cookie": try await session()])
        #expect(app.access.caller(of: request, from: Client(usesTLS: true)) == nil)
        request.headers[.cookie] = "__Host-" + (request.headers[.cookie] ?? "")
        #expect(app.access.caller(of: request, from: Client(usesTLS: true)) != nil)
        #expect(app.access.caller(of: request, from: Client(usesTLS: false)) == nil)
    }

    @Test("cannot be kept from its owner by a page of another port: its cookies are not guesses, and the form works")
    func plantedCookies() async throws {
        for number in 1...100 {
            #expect(
                await ask(.GET, "/api/reading", ["Cookie": "swatchcam-8080=x\(number)"]).statusCode == .unauthorized)
        }
        let response = await ask(
            .POST, "/login",
            [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8080",
                "Cookie": "swatchcam-8080=x",
            ], body: "token=\(Self.token)")
        #expect(response.statusCode == .seeOther)
    }

    @Test("is the page itself, and no cookie, where no token is configured, whatever is posted to the form")
    func logInWithoutToken() async throws {
        let app = WebApp(
            sources: try .sample(), pages: try Pages(templates: nil, resources: nil), broadcaster: broadcaster,
            log: Logger(label: "test"))
        let response = await app.handleRequest(
            .sample(
                .POST, "/login", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data("token=a%0d%0aSet-Cookie:%20b=c".utf8)))
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/")
        #expect(response.headers[.setCookie] == nil)
    }

    @Test(
        "leads to a page of ours only",
        arguments: [
            "//evil.example", "https://evil.example", "/%5Cevil.example", "/\\evil.example", "evil", "", "/%0d%0aX:y",
        ])
    func redirect(next: String) async {
        let response = await logIn("token=\(Self.token)&next=\(next)")
        #expect(response.headers[.location] == "/")
    }

    @Test("that was not given sets no cookie")
    func logInWrongly() async throws {
        let response = await logIn("token=\(Self.token)x")
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.setCookie] == nil)
        #expect(
            String(decoding: try await response.bodyData, as: UTF8.self)
                .contains("This is not the token of this Swatchcam."))
    }

    private func join(_ cookie: String) async throws -> (socket: Subscription, stream: PictureSubscription) {
        let caller = try #require(
            app.access.caller(of: .sample(headers: ["Cookie": cookie]), from: Client()))
        return (
            try #require(broadcaster.join(caller.session)), try #require(pictures.join(.live, session: caller.session))
        )
    }

    @Test("ends by logging out, with what the session had open, and with nothing of another")
    func logOut() async throws {
        let (mine, other) = (try await session(), try await session())
        let (opened, others) = (try await join(mine), try await join(other))
        let response = await ask(.POST, "/logout", ["Cookie": mine])
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.setCookie] == "swatchcam-8080=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        #expect(await ask(.GET, "/api/reading", ["Cookie": mine]).statusCode == .unauthorized)
        #expect(await opened.socket.outbox.next() == .close(code: WSCloseCode(1008, reason: "logged out")))
        #expect(await opened.stream.next(within: .seconds(3600)) == nil)
        #expect(await ask(.GET, "/api/reading", ["Cookie": other]).statusCode == .ok)
        broadcaster.offer(TextFrame(text: Data("reading".utf8)))
        #expect(await others.socket.outbox.next() == TextFrame(text: Data("reading".utf8)).frame)
        withExtendedLifetime(others) {}
    }

    @Test("ends when the tokens change, with all that is open")
    func newTokens() async throws {
        let cookie = try await session()
        let opened = try await join(cookie)
        var web = config.value.web
        web.token = Token(String(repeating: "n", count: 32))
        app.followTokens(web)
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .unauthorized)
        #expect(await ask(.GET, "/api/reading", bearer(Self.token)).statusCode == .unauthorized)
        #expect(await ask(.GET, "/api/reading", bearer(String(repeating: "n", count: 32))).statusCode == .ok)
        #expect(await opened.socket.outbox.next() == .close(code: WSCloseCode(1008, reason: "logged out")))
        #expect(await opened.stream.next(within: .seconds(3600)) == nil)
    }

    @Test("goes on when an edit leaves the tokens as they are")
    func sameTokens() async throws {
        let cookie = try await session()
        app.followTokens(config.value.web)
        #expect(await ask(.GET, "/api/reading", ["Cookie": cookie]).statusCode == .ok)
    }

    @Test("that ended while a request was under way opens nothing any more", arguments: [true, false])
    func lateGuest(isLoggedOut: Bool) async throws {
        let cookie = try await session()
        let caller = try #require(app.access.caller(of: .sample(headers: ["Cookie": cookie]), from: Client()))
        #expect(app.access.isWelcome(caller))
        if isLoggedOut {
            _ = await ask(.POST, "/logout", ["Cookie": cookie])
        } else {
            var web = config.value.web
            web.viewToken = nil
            app.followTokens(web)
        }
        #expect(!app.access.isWelcome(caller))
    }

    @Test("is refused for a while after ten wrong tokens, but not to the right one")
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

    @Test("is needed to learn why there is no colour: the reason may name a process", arguments: [true, false])
    func health(isKnown: Bool) async throws {
        let app = try unwell()
        let response = await app.handleRequest(
            .sample(.GET, "/healthz", headers: isKnown ? bearer(Self.viewToken) : [:]))
        #expect(response.statusCode == .serviceUnavailable)
        let text = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(text.contains("There is no camera. Connect one.") == isKnown)
        #expect(text.contains(#""code":"no-camera""#))
    }

    @Test("is needed to learn how many watch", arguments: [true, false])
    func viewers(isKnown: Bool) async throws {
        config.update { $0.readings.rate = 0.001 }
        let response = await ask(.GET, "/healthz", isKnown ? bearer(Self.viewToken) : [:])
        let text = String(decoding: try await response.bodyData, as: UTF8.self)
        #expect(text.contains(#""status":"ok""#) || response.statusCode == .serviceUnavailable)
        #expect(text.contains("viewers") == (isKnown && response.statusCode == .ok))
    }

    private func unwell() throws -> WebApp {
        var sources = try WebSources.sample()
        sources.config = config
        sources.readings = Latest(.noCamera)
        return WebApp(
            sources: sources, pages: try Pages(templates: nil, resources: nil), broadcaster: broadcaster,
            log: Logger(label: "test"))
    }

    @Test("without a token is for programs of this machine only, to look, and if the configuration says so")
    func localView() {
        let local = Client(isLocal: true)
        #expect(app.access.caller(of: .sample(), from: local) == nil)
        var web = config.value.web
        web.localView = true
        let access = AccessControl(web, log: Logger(label: "test"))
        #expect(access.caller(of: .sample(), from: local) == Caller(access: .view))
        #expect(access.caller(of: .sample(headers: bearer(Self.token)), from: local) == Caller(access: .control))
        #expect(access.caller(of: .sample(headers: bearer("wrong")), from: local) == nil)
        #expect(access.caller(of: .sample(), from: Client()) == nil)
    }

    @Test("tells nobody what the tokens are")
    func hiddenTokens() async throws {
        let text = String(decoding: try await ask(.GET, "/api/config", bearer(Self.token)).bodyData, as: UTF8.self)
        #expect(text.contains(#""token":"hidden""#))
        #expect(!text.contains(Self.token) && !text.contains(Self.viewToken))
    }
}
