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
}
