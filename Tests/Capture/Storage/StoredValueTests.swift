import Color
import Foundation
import Handoff
import Logging
import Metrology
import TestSupport
import Testing

@testable import Capture

@Suite("A stored value", .timeLimit(.minutes(5)))
struct StoredValueTests {
    private let folder: TemporaryFolder
    private let light = ReferenceLight(
        camera: "id", region: [0, 0, 0.5, 0.5], light: LinearRGB(r: 0.5, g: 0.25, b: 0.125))

    init() throws { folder = try TemporaryFolder() }

    /// Runs a store until a condition holds, and then lets it finish.
    private func withStore(_ body: (StoredValue<ReferenceLight>) async -> Void) async {
        let store = StoredValue<ReferenceLight>("reference", in: StateFolder(folder.path), log: Logger(label: "test"))
        let task = Task { await store.run() }
        await body(store)
        task.cancel()
        await task.value
    }

    private var isStored: Bool { FileManager.default.fileExists(atPath: folder.path + "/reference.json") }

    @Test("a light outlasts a restart, until it is forgotten")
    func roundTrip() async {
        await withStore { store in
            store.latest.publish(light)
            await waitUntil("the light is stored") { isStored }
        }
        await withStore { store in
            await waitUntil("the light is read") { store.latest.value == light }
            store.latest.publish(nil)
            await waitUntil("the light is forgotten") { !isStored }
        }
        await withStore { store in #expect(store.latest.value == nil) }
    }

    @Test("a file that Swatchcam did not write is not used", arguments: ["", "[]", "{\"camera\":1}"])
    func damaged(text: String) async throws {
        try folder.write(text, to: "reference.json")
        await withStore { store in
            store.latest.publish(light)
            await waitUntil("the file is replaced") {
                (try? String(contentsOfFile: folder.path + "/reference.json", encoding: .utf8))?.contains("0.125")
                    == true
            }
        }
    }

    @Test("a change that comes with the end is kept, and one that was saved is on the disk")
    func atTheEnd() async {
        await withStore { store in
            await waitUntil("the store runs") { store.latest.value == nil }
            store.latest.publish(light)
        }
        await withStore { store in
            await waitUntil("the light is read") { store.latest.value == light }
            store.latest.publish(nil)
            await store.save()
            #expect(!isStored)
        }
    }

    @Test("the texts of a file are made printable")
    func texts() async throws {
        try folder.write(#"{"standards":[],"unit":"mg\u0007/L"}"#, to: "absorbance.json")
        let store = StoredValue<AbsorbanceSetup>(
            "absorbance", in: StateFolder(folder.path), log: Logger(label: "test")
        ) { $0.mapTexts { $0.replacing("\u{7}", with: "?") } }
        let task = Task { await store.run() }
        await waitUntil("the setup is read") { store.latest.value?.unit == "mg?/L" }
        task.cancel()
        await task.value
    }
}
