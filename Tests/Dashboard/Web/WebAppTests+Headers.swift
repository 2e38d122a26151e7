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

/// Tests of the headers of responses.
extension WebAppTests {
    @Test("every answer has a date", arguments: ["/", "/nothing"])
    func date(path: String) async {
        #expect(await get(path).headers[.date]?.hasSuffix(" GMT") == true)
    }

    @Test("a header field keeps all printable ASCII and nothing else")
    func printable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "\u{1F} ~\u{7F}x\u{E9}"
        #expect(response.withCommonHeaders(at: 0).headers[.location] == " ~x")
    }

    @Test("the response to HEAD keeps a length that is already set")
    func knownLength() {
        var response = HTTPResponse(content: Data("abc".utf8), type: "text/plain")
        response.headers[.contentLength] = "7"
        #expect(response.withoutBody.headers[.contentLength] == "7")
    }

    @Test("a response that ends the connection says so, and has the whole error")
    func closing() async throws {
        var error = HTTPError.notFound
        #expect(error.response.headers[.connection] == nil)
        error.closesConnection = true
        #expect(error.response.headers[.connection] == "close")
        #expect(try await self.error(in: error.response)["code"] == "not-found")
    }

    @Test("a header field cannot contain anything that would end it")
    func unprintable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "/a\r\nSet-Cookie: b\u{0}\u{85}c"
        response.headers.setValues(["d\r\n", "e"], for: .setCookie)
        let complete = response.withCommonHeaders(at: 0)
        #expect(complete.headers[.location] == "/aSet-Cookie: bc")
        #expect(complete.headers.values(for: .setCookie) == ["d", "e"])
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

    @Test("the headers let a page load and do only what it needs")
    func exactHeaders() {
        let headers = HTTPResponse(statusCode: .ok).withCommonHeaders(at: 0).headers
        #expect(
            headers[HTTPHeader("Content-Security-Policy")]
                == "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
                + "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
        #expect(
            headers[HTTPHeader("Permissions-Policy")]
                == "camera=(), microphone=(), geolocation=(), display-capture=(), usb=()")
        #expect(headers[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test("the sites of the configuration may embed the pages")
    func frameAncestors() {
        let headers = HTTPResponse(statusCode: .ok)
            .withCommonHeaders(frameAncestors: ["http://a", "https://b"], at: 0).headers
        #expect(
            headers[HTTPHeader("Content-Security-Policy")]?.hasSuffix("; frame-ancestors http://a https://b") == true)
    }
}
