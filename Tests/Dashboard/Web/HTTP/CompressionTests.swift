import FlyingFox
import Foundation
import Gzip
import TestSupport
import Testing

@testable import Dashboard

@Suite("Compression")
struct CompressionTests {
    private func accepts(_ field: String) -> Bool {
        HTTPRequest.sample(.GET, "/", headers: ["Accept-Encoding": field]).acceptsGzip
    }

    @Test(
        "gzip is used if the client accepts it",
        arguments: [
            "gzip", "GZip", "x-gzip", "*", "br, gzip", "gzip;q=1", "gzip;q=1.", "gzip;q=1.000", "gzip; q=0.001",
            "gzip ; Q=0.5", "deflate,,gzip", "*;q=0.5", "*;q=0, gzip", "gzip, identity", "gzip;q=0.5, identity;q=0.5",
        ])
    func accepted(field: String) {
        #expect(accepts(field))
    }

    @Test(
        "gzip is not used if the client does not clearly accept it, or prefers the plain form",
        arguments: [
            "", "identity", "br", "gzip;q=0", "gzip;q=0.", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "*, gzip;q=0",
            "gzip;q=2", "gzip;q=1.001", "gzip;q=-1", "gzip;q=", "gzip;q", "gzip;", "gzip;q=0.0001", "gzip;q=nan",
            "gzip;q=1;q=1", "gzip;level=9", "gzip;q=0.5, identity", "gzip;q=0.499, identity;q=0.5", "gzipped",
            "g zip", ";q=1", "gzip q=1", "q=1",
        ])
    func refused(field: String) {
        #expect(!accepts(field))
        #expect(!HTTPRequest.sample().acceptsGzip)
    }

    @Test("a compressible file has a compressed form, with a tag of its own")
    func tags() {
        let asset = Asset(content: Data(String(repeating: "a", count: 1_000).utf8), isCompressible: true)
        #expect(asset.gzipped == Gzip.compress(asset.content))
        #expect(asset.gzippedEntityTag == asset.entityTag.dropLast() + "-gzip\"")
    }

    @Test(
        "a file of a megabyte is compressed, and a larger one is not",
        arguments: [(1_000_000, true), (1_000_001, false)])
    func size(count: Int, isCompressed: Bool) {
        let asset = Asset(content: Data(repeating: 65, count: count), isCompressible: true)
        #expect((asset.gzipped != nil) == isCompressed)
    }

    @Test(
        "text files are compressed, and pictures and fonts are not",
        arguments: [
            ("a.css", true), ("a.js", true), ("a.svg", true), ("a.json", true), ("a.webmanifest", true),
            ("a.txt", true),
            ("a.png", false), ("a.jpg", false), ("a.woff2", false), ("a", false),
        ])
    func kinds(name: String, isCompressible: Bool) {
        #expect(ContentType.isCompressible(ContentType.of(name)) == isCompressible)
    }

    @Test("a changed file in a folder is compressed, too")
    func folder() async throws {
        let clock = ManualClock()
        let folder = try TemporaryFolder(["style.css": String(repeating: "a", count: 100)])
        let pages = try Pages(templates: nil, resources: folder.path, clocks: clock.clocks)
        let name = Pages.ResourceName(path: "style.css", isVersioned: false)
        #expect(await pages.resource(name)?.gzipped != nil)
        let text = String(repeating: "b", count: 100)
        try folder.write(text, to: "style.css")
        clock.advance(by: .seconds(1))
        #expect(await pages.resource(name)?.gzipped == Gzip.compress(Data(text.utf8)))
    }

    @Test("a page is compressed for a client that accepts gzip, and says to others that there is another form")
    func page() async throws {
        let app = try WebApp.sample(.sample())
        let plain = await app.handleRequest(.sample(.GET, "/measuring"))
        let gzipped = await app.handleRequest(.sample(.GET, "/measuring", headers: ["Accept-Encoding": "gzip"]))
        #expect(plain.headers[.contentEncoding] == nil && gzipped.headers[.contentEncoding] == "gzip")
        for response in [plain, gzipped] { #expect(response.headers[HTTPHeader("Vary")] == "Accept-Encoding") }
        let page = try await plain.bodyData
        #expect(page.starts(with: Data("<!DOCTYPE html>".utf8)))
        #expect(try await gzipped.bodyData == Gzip.compress(page))
    }
}
