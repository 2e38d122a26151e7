import Foundation
import TestSupport
import Testing

@testable import Dashboard

@Suite("Location of an asset in messages")
struct AssetLocationTests {
    @Test("a file of the folder is located in it, whether its path ends with a slash or not", arguments: ["", "/"])
    func inFolder(end: String) throws {
        let folder = try TemporaryFolder(["style.css": "mine"])
        let store = try AssetStore(embedded: ["app.js": Data()], folder: folder.path + end)
        #expect(store.hasFolder)
        #expect(store.location(of: "style.css") == folder.path + "/style.css")
        #expect(store.location(of: "app.js") == "app.js")
    }

    @Test("without a folder, a file is located by its name alone")
    func embedded() throws {
        let store = try AssetStore(embedded: ["app.js": Data()], folder: nil)
        #expect(!store.hasFolder)
        #expect(store.location(of: "app.js") == "app.js")
    }

    @Test("the revision grows by one with each refresh that finds a change")
    func revision() throws {
        let folder = try TemporaryFolder(["style.css": "one"])
        let store = try AssetStore(embedded: [:], folder: folder.path)
        let before = store.snapshot.revision
        for number in 1...3 {
            try folder.write(String(repeating: "x", count: 10 + number), to: "style.css")
            try store.refresh()
            #expect(store.snapshot.revision == before + number)
        }
    }
}
