import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Palettes
@testable import Readings
@testable import Storage

extension ClientPalette {
    fileprivate func use(_ text: String) async throws {
        let data = Data(text.utf8)
        await use(try PaletteFile.palette(data), from: data)
    }
}

@Suite("Loading the palette", .timeLimit(.minutes(20)))
struct PaletteLoaderTests {
    private let folder: TemporaryFolder
    private let config = Latest(Settings())
    private let palette = Latest(Palette?.none)
    private let clientPalette: ClientPalette
    private let notices = Notices()

    init() throws {
        folder = try TemporaryFolder(["a.csv": "A,#000000", "b.csv": "B,#000000", "bad.csv": "C,#00"])
        clientPalette = ClientPalette(palette, folder: nil, log: .silent)
        name("a.csv")
    }

    /// Names another file in the configuration; nil for none.
    private func name(_ file: String?) {
        var edited = Config()
        edited.readings.palette = file.map { folder.path + "/" + $0 }
        config.update { $0.edit(to: edited, path: "", text: "") }
    }

    private var names: [String]? { palette.value?.entries.map(\.name) }

    private var notice: String? { notices.all.first { $0.topic == .palette }?.message }

    /// Runs the loader as long as a test needs it.
    private func run(_ body: () async throws -> Void) async rethrows {
        let loader = Task { await PaletteLoader(config, clientPalette, notices: notices, log: .silent).run() }
        defer { loader.cancel() }
        await waitUntil("the palette is read") { names == ["A"] }
        try await body()
    }

    @Test("another file that the configuration names is read, and none takes the palette away")
    func other() async {
        await run {
            name("b.csv")
            await waitUntil("the other palette is read") { names == ["B"] }
            name(nil)
            await waitUntil("the palette is gone") { names == nil }
            #expect(notice == nil)
        }
    }

    @Test("an edit to the file takes effect, however it is written")
    func edit() async throws {
        try await run {
            try folder.write("Edited,#000000", to: "a.csv")
            await waitUntil("the edit takes effect") { names == ["Edited"] }
            try folder.write("Replaced,#000000", to: "new")
            try folder.rename("new", to: "a.csv")
            await waitUntil("the new file is read") { names == ["Replaced"] }
        }
    }

    @Test("a file that cannot be read has a notice with its path, the line and the reason, until another one is read")
    func bad() async {
        await run {
            name("bad.csv")
            await waitUntil("there is a notice") { notice != nil }
            #expect(names == nil)
            #expect(notice?.hasPrefix("The palette is not used. \(folder.path)/bad.csv: line 1: expected ") == true)
            name("missing.csv")
            await waitUntil("there is another notice") { notice?.contains("missing.csv") == true }
            name("a.csv")
            await waitUntil("the palette is read again") { names == ["A"] && notice == nil }
        }
    }

    @Test("the palette of a client takes the place of the configured one, until it is removed")
    func client() async throws {
        try await run {
            try await clientPalette.use("Client,#000000")
            #expect(names == ["Client"])
            // Nor is it disturbed by the configuration.
            name("bad.csv")
            name("b.csv")
            await waitUntil("the configured palette is read") {
                clientPalette.configured.value?.entries.first?.name == "B"
            }
            await clientPalette.remove()
            await waitUntil("the configured palette is used again") { names == ["B"] }
            #expect(notice == nil)
        }
    }

    @Test("the palette of a client is kept in the folder of the state")
    func kept() async throws {
        let state = StateFolder(folder.path + "/state")
        func restored() -> [String]? {
            let palette = ClientPalette(folder: state, log: .silent)
            return palette.palette.value?.entries.map(\.name)
        }
        let palette = ClientPalette(folder: state, log: .silent)
        #expect(restored() == nil)
        try await palette.use("Kept,#000000")
        #expect(restored() == ["Kept"] && palette.problem == nil)
        await palette.remove()
        #expect(restored() == nil && palette.palette.value == nil)
        try folder.write(#"{"value":{"content":"QSwjMDA="},"version":1}"#, to: "state/palette.json")
        #expect(restored() == nil)
    }

    @Test("a palette that cannot be stored is used, and a sentence says that it will be lost")
    func notKept() async throws {
        let palette = ClientPalette(folder: StateFolder(folder.path + "/a.csv"), log: .silent)
        try await palette.use("Lost,#000000")
        #expect(palette.palette.value?.entries.map(\.name) == ["Lost"])
        #expect(palette.problem?.hasPrefix("The palette will not be remembered for the next start: ") == true)
    }

    @Test("a link is followed, and a folder is no palette")
    func link() throws {
        try folder.link("link", to: folder.path + "/a.csv")
        #expect(try PaletteLoader.palette(at: folder.path + "/link").entries.map(\.name) == ["A"])
        #expect(throws: PaletteFile.Problem.self) { try PaletteLoader.palette(at: folder.path) }
    }
}
