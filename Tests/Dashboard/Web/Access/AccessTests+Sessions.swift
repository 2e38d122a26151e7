import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff

/// Tests of logging in, and of what ends a session.
extension AccessTests {
    func logIn(_ fields: String, origin: String = "http://localhost:8080") async -> HTTPResponse {
        await ask(
            .POST, "/login", ["Content-Type": "application/x-www-form-urlencoded", "Origin": origin], body: fields)
    }

    @Test("the session cookie is HttpOnly and SameSite, and is not the token")
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

    @Test("the session cookie of a TLS connection is only for TLS and for this host")
    func logInSecurely() {
        let cookie = app.access.cookie("id", for: Client(usesTLS: true))
        #expect(
            cookie == "__Host-swatchcam-8080=id; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure")
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
        request.headers[.cookie] = "__Host-" + (request.headers[.cookie] ?? "")
        #expect(app.access.principal(of: request, from: Client(usesTLS: true)) != nil)
        #expect(app.access.principal(of: request, from: Client(usesTLS: false)) == nil)
    }

    @Test("cookies planted by a page on another port do not count as guesses, and logging in still works")
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

    @Test("logging in without a configured token leads to the page and sets no cookie, whatever is posted")
    func logInWithoutToken() async throws {
        let app = try WebApp.sample(.sample(), broadcaster: broadcaster)
        let response = await app.handleRequest(
            .sample(
                .POST, "/login", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data("token=a%0d%0aSet-Cookie:%20b=c".utf8)))
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/")
        #expect(response.headers[.setCookie] == nil)
    }

    @Test(
        "logging in redirects only to pages of this server",
        arguments: [
            "//evil.example", "https://evil.example", "/%5Cevil.example", "/\\evil.example", "evil", "", "/%0d%0aX:y",
        ])
    func redirect(next: String) async {
        let response = await logIn("token=\(Self.token)&next=\(next)")
        #expect(response.headers[.location] == "/")
    }

    @Test("a refused login sets no cookie")
    func logInWrongly() async throws {
        let response = await logIn("token=\(Self.token)x")
        #expect(response.statusCode == .unauthorized)
        #expect(response.headers[.setCookie] == nil)
        #expect(
            String(decoding: try await response.bodyData, as: UTF8.self)
                .contains("This token is not valid."))
    }

    func join(_ cookie: String) async throws -> (socket: Subscription, stream: PictureSubscription) {
        let principal = try #require(
            app.access.principal(of: .sample(headers: ["Cookie": cookie]), from: Client()))
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
        #expect(response.headers[.setCookie] == "swatchcam-8080=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
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
        let principal = try #require(app.access.principal(of: .sample(headers: ["Cookie": cookie]), from: Client()))
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
