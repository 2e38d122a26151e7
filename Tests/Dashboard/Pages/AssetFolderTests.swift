import Foundation
import TestSupport
import Testing

@testable import Dashboard

@Suite("Asset folder", .timeLimit(.minutes(20)))
struct AssetFolderTests {
    private let outside: TemporaryFolder
    /// The folder under test, `public` in the temporary folder.
    private let folder: AssetFolder

    init() throws {
        outside = try TemporaryFolder([
            "secret.css": "secret", "public/style.css": "mine", "public/fonts/a.css": "font",
        ])
        folder = AssetFolder(path: outside.path + "/public")
    }

    /// Creates a sparse file of zeros, which takes no space on the disk.
    private func makeFile(_ name: String, size: Int) throws {
        try outside.write("", to: name)
        #expect(unsafe truncate(outside.path + "/" + name, size) == 0)
    }

    @Test("an asset folder neither lists nor opens pipes, devices and files outside of it")
    func special() throws {
        try outside.makePipe("public/pipe.css")
        try outside.link("public/zero.css", to: "/dev/zero")
        try outside.link("public/loop.css", to: "loop.css")
        try outside.link("public/out.css", to: "../secret.css")
        try outside.link("public/absolute.css", to: outside.path + "/secret.css")
        try outside.link("public/up", to: "..")
        #expect(try folder.list().keys.sorted() == ["fonts/a.css", "style.css"])
    }

    @Test("an asset folder does not follow links to a neighbour whose name begins with or looks like its own")
    func neighbours() throws {
        try outside.write("secret", to: "public2/secret.css")
        try outside.link("public/longer.css", to: "../public2/secret.css")
        #expect(try folder.list()["longer.css"] == nil)
        // Swift considers these names equal, but Linux does not.
        try outside.write("mine", to: "caf\u{E9}/style.css")
        try outside.write("secret", to: "cafe\u{301}/secret.css")
        try outside.link("caf\u{E9}/same.css", to: "../cafe\u{301}/secret.css")
        #expect(try AssetFolder(path: outside.path + "/caf\u{E9}").list().keys.sorted() == ["style.css"])
    }

    @Test("an asset folder lists file names that begin with a combining mark")
    func combiningMark() throws {
        try outside.write("mark", to: "public/\u{301}.css")
        try outside.write("mark", to: "public/fonts/\u{20DD}.css")
        let names = try folder.list().keys
        #expect(names.contains("\u{301}.css") && names.contains("fonts/\u{20DD}.css"))
        #expect(folder.read("\u{301}.css")?.content == Data("mark".utf8))
    }

    @Test("links to files inside the folder are followed, even through hidden folders, and their changes are detected")
    func deployment() throws {
        // This is how Kubernetes mounts a ConfigMap: an update exchanges one link.
        try outside.write("one", to: "public/..1/app.css")
        try outside.write("two", to: "public/..2/app.css")
        try outside.link("public/..data", to: "..1")
        try outside.link("public/app.css", to: "..data/app.css")
        let store = try AssetStore(embedded: [:], folder: folder.path)
        #expect(store.file(named: "app.css")?.content == Data("one".utf8))
        try outside.link("public/..new", to: "..2")
        try outside.rename("public/..new", to: "public/..data")
        try store.refresh()
        #expect(store.file(named: "app.css")?.content == Data("two".utf8))
    }

    @Test("a pipe or a link out of the folder that has replaced a listed file or its folder is not read")
    func replaced() throws {
        #expect(folder.read("style.css")?.content == Data("mine".utf8))
        try outside.remove("public/style.css")
        try outside.makePipe("public/style.css")
        #expect(folder.read("style.css") == nil)
        try outside.remove("public/style.css")
        try outside.link("public/style.css", to: "../secret.css")
        #expect(folder.read("style.css") == nil)
        #expect(folder.read("fonts/a.css")?.content == Data("font".utf8))
        try outside.write("secret", to: "other/a.css")
        try outside.remove("public/fonts")
        try outside.link("public/fonts", to: "../other")
        #expect(folder.read("fonts/a.css") == nil)
        #expect(folder.read("../secret.css") == nil)
    }

    @Test("a file is read even if the folder is the root of all files")
    func root() throws {
        let name = String((outside.path + "/public/style.css").dropFirst())
        #expect(AssetFolder(path: "/").read(name)?.content == Data("mine".utf8))
    }

    @Test("no more of a file is read than was requested")
    func grown() throws {
        #expect(folder.read("style.css", upTo: 4)?.content == Data("mine".utf8))
        #expect(folder.read("style.css", upTo: 3) == nil)
        try makeFile("public/style.css", size: 5_000_001)
        #expect(folder.read("style.css") == nil)
    }

    @Test("a folder with more than 64 MB of files is refused with a sentence")
    func total() throws {
        for number in 1...12 { try makeFile("public/\(number).bin", size: 5_000_000) }
        try makeFile("public/last.bin", size: 4_000_000 - 8)
        #expect(try folder.list().count == 15)
        try makeFile("public/last.bin", size: 4_000_000 - 7)
        #expect(
            throws: PagesError.folder(
                path: folder.path, problem: "its files are larger than 64 MB in total; use a separate folder")
        ) { try folder.list() }
    }

    @Test("a folder tree with more than 2,000 files and folders is refused with a sentence")
    func entries() throws {
        // style.css, fonts, fonts/a.css
        for number in 1...1997 { try outside.write("", to: "public/fonts/\(number).css") }
        #expect(try folder.list().count == 1999)
        try outside.write("", to: "public/one-more.css")
        #expect(
            throws: PagesError.folder(
                path: folder.path, problem: "it contains more than 2000 files and folders; use a separate folder")
        ) { try folder.list() }
    }

    @Test("files more than 16 folders deep are not listed")
    func deep() throws {
        let deep = Array(repeating: "d", count: 16).joined(separator: "/")
        try outside.write("", to: "public/\(deep)/a.css")
        try outside.write("", to: "public/\(deep)/d/a.css")
        #expect(try folder.list().keys.filter { $0.hasPrefix("d/") } == ["\(deep)/a.css"])
    }

    @Test("a file that was replaced by one of the same size and date has another version")
    func version() throws {
        let path = outside.path + "/public/style.css"
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        let before = try folder.list()["style.css"]
        #expect(try folder.list()["style.css"] == before)
        try outside.write("hers", to: "public/new.css")
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: outside.path + "/public/new.css")
        try outside.rename("public/new.css", to: "public/style.css")
        #expect(try folder.list()["style.css"] != before)
    }
}
