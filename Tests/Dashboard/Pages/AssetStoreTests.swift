import Foundation
import TestSupport
import Testing

@testable import Dashboard

@Suite("Asset store")
struct AssetStoreTests {
    private let embedded = ["style.css": Data("embedded".utf8), "app.js": Data("script".utf8)]

    private func content(_ store: AssetStore, _ name: String) -> String? {
        store.file(named: name).flatMap { String(data: $0.content, encoding: .utf8) }
    }

    @Test("files in the user's folder replace those in the binary")
    func override() throws {
        let folder = try TemporaryFolder(["style.css": "mine", "fonts/a.woff2": "font"])
        let store = try AssetStore(embedded: embedded, folder: folder.path)
        #expect(content(store, "style.css") == "mine")
        #expect(content(store, "app.js") == "script")
        #expect(content(store, "fonts/a.woff2") == "font")
    }

    @Test("the store detects files that are changed, added or removed")
    func refresh() throws {
        let folder = try TemporaryFolder(["style.css": "one"])
        let store = try AssetStore(embedded: embedded, folder: folder.path)
        let tag = store.file(named: "style.css")?.entityTag
        try folder.write("three", to: "style.css")
        try folder.write("new", to: "new.txt")
        try store.refresh()
        #expect(content(store, "style.css") == "three")
        #expect(store.file(named: "style.css")?.entityTag != tag)
        #expect(content(store, "new.txt") == "new")
        try FileManager.default.removeItem(at: folder.url.appending(path: "style.css"))
        try store.refresh()
        #expect(content(store, "style.css") == "embedded")
    }

    @Test("the revision grows by one with each refresh that finds a change, and stays the same otherwise")
    func revision() throws {
        let folder = try TemporaryFolder(["style.css": "one"])
        let store = try AssetStore(embedded: embedded, folder: folder.path)
        let before = store.snapshot.revision
        try store.refresh()
        #expect(store.snapshot.revision == before)
        for number in 1...3 {
            try folder.write(String(repeating: "x", count: 10 + number), to: "style.css")
            try store.refresh()
            #expect(store.snapshot.revision == before + number)
        }
    }

    @Test("a file's tag is the hash and the length of its content")
    func tags() {
        #expect(Asset(content: Data("a".utf8)).entityTag == "\"af63dc4c8601ec8c-1\"")
        #expect(Asset(content: Data("a".utf8)).entityTag != Asset(content: Data("b".utf8)).entityTag)
    }

    @Test("the store serves only files that the listing of the folder, which may be a link itself, contains")
    func confined() throws {
        let folder = try TemporaryFolder([
            "secret.txt": "secret", "public/style.css": "mine", "public/.hidden": "hidden",
        ])
        try folder.link("public/alias.css", to: folder.path + "/public/style.css")
        try folder.link("public/out.txt", to: folder.path + "/secret.txt")
        try folder.link("public/outside", to: folder.path)
        try folder.link("link", to: "public")
        try Data(count: 5_000_001).write(to: folder.url.appending(path: "public/big.bin"))
        let store = try AssetStore(embedded: embedded, folder: folder.path + "/link")
        for name in ["../secret.txt", "out.txt", "outside/secret.txt", ".hidden", "", ".", "/etc/passwd", "big.bin"] {
            #expect(store.file(named: name) == nil, "\(name)")
        }
        #expect(content(store, "style.css") == "mine")
        #expect(content(store, "alias.css") == "mine")
    }

    @Test("a file of the folder is located in it, whether its path ends with a slash or not, and others by their names")
    func locations() throws {
        let folder = try TemporaryFolder(["style.css": "mine"])
        for end in ["", "/"] {
            let store = try AssetStore(embedded: ["app.js": Data()], folder: folder.path + end)
            #expect(store.hasFolder)
            #expect(store.location(of: "style.css") == folder.path + "/style.css")
            #expect(store.location(of: "app.js") == "app.js")
        }
        let store = try AssetStore(embedded: ["app.js": Data()], folder: nil)
        #expect(!store.hasFolder)
        #expect(store.location(of: "app.js") == "app.js")
    }
}

@Suite("Media types of files")
struct ContentTypeTests {
    @Test(
        "a file has the media type of its extension in any case, or else application/octet-stream",
        arguments: [
            ("a.css", "text/css; charset=utf-8"), ("a.gif", "image/gif"), ("a.html", "text/html; charset=utf-8"),
            ("a.ico", "image/x-icon"), ("a.jpeg", "image/jpeg"), ("a.JPG", "image/jpeg"),
            ("a.js", "text/javascript; charset=utf-8"), ("a.json", "application/json"),
            ("a.mjs", "text/javascript; charset=utf-8"), ("a.png", "image/png"), ("a.svg", "image/svg+xml"),
            ("b/a.b.txt", "text/plain; charset=utf-8"), ("a.webmanifest", "application/manifest+json"),
            ("a.webp", "image/webp"), ("a.woff2", "font/woff2"), ("", "application/octet-stream"),
            ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
            ("a.exe", "application/octet-stream"), (".css.gz", "application/octet-stream"),
        ])
    func type(name: String, type: String) {
        #expect(ContentType.of(name) == type)
    }
}
