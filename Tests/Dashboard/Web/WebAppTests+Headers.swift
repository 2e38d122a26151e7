import FlyingFox
import Foundation
import Logging
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

/// Tests of the headers of responses, and of files, which clients may keep.
extension WebAppTests {
    @Test("every answer has a date and the security headers", arguments: ["/", "/api/reading", "/nothing", "/ws"])
    func commonHeaders(path: String) async {
        let headers = await get(path).headers
        #expect(headers[.date]?.hasSuffix(" GMT") == true)
        #expect(headers[HTTPHeader("Content-Security-Policy")] != nil)
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

    @Test("a header field keeps all printable ASCII, and nothing that would end it")
    func unprintable() {
        var response = HTTPResponse(statusCode: .ok)
        response.headers[.location] = "/a\r\nSet-Cookie: b\u{0}\u{85}c\u{1F} ~\u{7F}x\u{E9}"
        response.headers.setValues(["d\r\n", "e"], for: .setCookie)
        let complete = response.withCommonHeaders(at: 0)
        #expect(complete.headers[.location] == "/aSet-Cookie: bc ~x")
        #expect(complete.headers.values(for: .setCookie) == ["d", "e"])
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
        #expect(headers[HTTPHeader("X-Content-Type-Options")] == "nosniff")
        #expect(headers[HTTPHeader("Referrer-Policy")] == "same-origin")
        #expect(headers[HTTPHeader("Cross-Origin-Resource-Policy")] == "same-origin")
    }

    @Test("the sites of the configuration may embed the pages")
    func frameAncestors() {
        let headers = HTTPResponse(statusCode: .ok)
            .withCommonHeaders(frameAncestors: ["http://a", "https://b"], at: 0).headers
        #expect(
            headers[HTTPHeader("Content-Security-Policy")]?.hasSuffix("; frame-ancestors http://a https://b") == true)
    }

    @Test(
        "a date is written in the format of RFC 9110",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (1_728_555_010, "Thu, 10 Oct 2024 10:10:10 GMT"),
            (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"), (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        ])
    func date(time: Int, date: String) {
        #expect(HTTPDate.text(time) == date)
    }

    // MARK: Files

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

    @Test("files are served under the names of this version, which browsers may cache forever")
    func lastingResource() async throws {
        let page = try await text(get("/"))
        let path = try #require(page.firstMatch(of: /"\.(\/resources\/v-[0-9a-f]+\/swatchcam.css)"/)?.1)
        let response = await get(String(path))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(await get("/resources/v-0/swatchcam.css").statusCode == .notFound)
    }

    @Test("the description of the API is served, and not sent again to a client that has it")
    func description() async throws {
        let response = await get("/api/openapi.json")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-cache")
        let json = try await json(response)
        #expect(json["openapi"] as? String != nil)
        let tag = try #require(response.headers[.eTag])
        #expect(await get("/api/openapi.json", ["If-None-Match": tag]).statusCode == .notModified)
    }
}
