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

/// Tests of files, which clients may keep.
extension WebAppTests {
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

    @Test("files are served under versioned names that browsers may cache forever")
    func lastingResource() async throws {
        let page = String(decoding: try await get("/").bodyData, as: UTF8.self)
        let path = try #require(page.firstMatch(of: /"(\/resources\/v-[0-9a-f]+\/swatchcam.css)"/)?.1)
        let response = await get(String(path))
        #expect(response.statusCode == .ok)
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
    }

    @Test("no files are served under the name of another version")
    func otherVersion() async {
        #expect(await get("/resources/v-0/swatchcam.css").statusCode == .notFound)
    }

    @Test("the description of the API is served, and not sent again to a client that has it")
    func description() async throws {
        let response = await get("/api/openapi.json")
        #expect(response.statusCode == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-cache")
        let json = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        #expect(json?["openapi"] as? String != nil)
        let tag = try #require(response.headers[.eTag])
        #expect(await get("/api/openapi.json", ["If-None-Match": tag]).statusCode == .notModified)
    }
}
