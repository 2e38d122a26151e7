import FlyingFox
import Foundation
import Logging
import Testing

@testable import Swatchcam

@Suite("Access")
struct AccessTests {
    private static let token = String(repeating: "c", count: 32)
    private static let viewToken = String(repeating: "v", count: 32)
    private let site: Site

    init() throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        var config = Config()
        (config.web.token, config.web.viewToken) = (Token(Self.token), Token(Self.viewToken))
        var sources = try WebSources.sample()
        sources.config = Latest(config)
        site = Site(
            sources: sources, pages: try Pages(templates: nil, resources: nil), hub: Hub(capacity: 1), log: log)
    }

    private func ask(
        _ method: HTTPMethod = .GET, _ path: String, _ headers: [String: String] = [:], body: String = ""
    ) async -> HTTPResponse {
        await site.handleRequest(.sample(method, path, headers: headers, body: Data(body.utf8)))
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
        "is given for the right token, in a header or a cookie",
        arguments: [
            ["Authorization": "Bearer \(token)"], ["authorization": "bearer  \(token)"],
            ["Cookie": "swatchcam-8080=\(token)"], ["Cookie": "a=b; swatchcam-8080=\(token); c=d"],
            ["Authorization": "Bearer \(viewToken)"],
        ])
    func withToken(headers: [String: String]) async {
        #expect(await ask(.GET, "/api/reading", headers).statusCode == .ok)
    }

    @Test(
        "is refused for anything else",
        arguments: [
            ["Authorization": "Bearer \(token)x"], ["Authorization": "Basic \(token)"], ["Authorization": token],
            ["Cookie": "swatchcam-8081=\(token)"], ["Cookie": "swatchcam-8080="],
            ["Cookie": "swatchcam-8080=\(token)x"],
            ["Authorization": "Bearer "],
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

    @Test("by logging in is a cookie that no script reads and no other site sends")
    func logIn() async {
        let response = await logIn("token=\(Self.token)&next=%2Ftest")
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.location] == "/test")
        #expect(
            response.headers[.setCookie]
                == "swatchcam-8080=\(Self.token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000")
    }

    @Test("by logging in over TLS is a cookie for TLS alone")
    func logInSecurely() async {
        let response = await logIn("token=\(Self.token)", origin: "https://localhost:8080")
        #expect(response.headers[.setCookie]?.hasSuffix("; Secure") == true)
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

    @Test("with a cookie that holds no longer takes it back, so that it is not guessed with")
    func oldCookie() async {
        let response = await ask(.GET, "/api/reading", ["Cookie": "swatchcam-8080=old"])
        #expect(response.headers[.setCookie]?.contains("Max-Age=0") == true)
    }

    @Test("ends by logging out")
    func logOut() async {
        let response = await ask(.POST, "/logout", bearer(Self.token))
        #expect(response.statusCode == .seeOther)
        #expect(response.headers[.setCookie]?.hasPrefix("swatchcam-8080=; ") == true)
    }

    @Test("is refused for a while after many wrong tokens, to the right one, too")
    func guesses() async {
        for _ in 1...10 { _ = await ask(.GET, "/api/reading", bearer("wrong")) }
        let response = await ask(.GET, "/api/reading", bearer(Self.token))
        #expect(response.statusCode == .tooManyRequests)
        #expect(response.headers[HTTPHeader("Retry-After")] == "60")
    }

    @Test("tells nobody what the tokens are")
    func hiddenTokens() async throws {
        let text = String(decoding: try await ask(.GET, "/api/config", bearer(Self.token)).bodyData, as: UTF8.self)
        #expect(text.contains(#""token":"hidden""#))
        #expect(!text.contains(Self.token) && !text.contains(Self.viewToken))
    }
}
