import Testing

@testable import Dashboard

@Suite("Media types of files")
struct ContentTypeTests {
    @Test(
        "a file has the media type of its extension in any case",
        arguments: [
            ("a.css", "text/css; charset=utf-8"), ("a.gif", "image/gif"), ("a.html", "text/html; charset=utf-8"),
            ("a.ico", "image/x-icon"), ("a.jpeg", "image/jpeg"), ("a.JPG", "image/jpeg"),
            ("a.js", "text/javascript; charset=utf-8"), ("a.json", "application/json"),
            ("a.mjs", "text/javascript; charset=utf-8"), ("a.png", "image/png"), ("a.svg", "image/svg+xml"),
            ("b/a.b.txt", "text/plain; charset=utf-8"), ("a.webmanifest", "application/manifest+json"),
            ("a.webp", "image/webp"), ("a.woff2", "font/woff2"),
        ])
    func known(name: String, type: String) {
        #expect(ContentType.of(name) == type)
    }

    @Test(
        "a file with any other extension has the media type application/octet-stream",
        arguments: ["", "a", "a.", "a.exe", ".css.gz"])
    func unknown(name: String) {
        #expect(ContentType.of(name) == "application/octet-stream")
    }
}
