import Color
import Foundation
import Handoff
import Logging
import Metrology
import TestSupport
import Testing

@testable import Storage

@Suite("A stored value", .timeLimit(.minutes(5)))
struct StoredValueTests {
    private let folder: TemporaryFolder
    private let light = ReferenceLight(
        camera: "id", region: [0, 0, 0.5, 0.5], light: LinearRGB(r: 0.5, g: 0.25, b: 0.125))

    init() throws { folder = try TemporaryFolder() }

    /// Runs a store until a condition holds, and then lets it finish.
    private func withStore(_ body: (StoredValue<ReferenceLight>) async -> Void) async {
        let store = StoredValue<ReferenceLight>("reference", in: StateFolder(folder.path), log: .silent)
        let task = Task { await store.run() }
        await body(store)
        task.cancel()
        await task.value
    }

    private var isStored: Bool { FileManager.default.fileExists(atPath: folder.path + "/reference.json") }

    @Test("a light is known from the start of the next run, until it is forgotten")
    func roundTrip() async {
        await withStore { store in
            store.latest.publish(light)
            await waitUntil("the light is stored") { isStored }
        }
        await withStore { store in
            #expect(store.latest.value == light)
            store.latest.publish(nil)
            await waitUntil("the light is forgotten") { !isStored }
        }
        await withStore { store in #expect(store.latest.value == nil) }
    }

    @Test("a change that comes with the end is kept, and one that was saved is on the disk")
    func atTheEnd() async {
        await withStore { $0.latest.publish(light) }
        await withStore { store in
            store.latest.publish(nil)
            await store.save()
            #expect(!isStored)
        }
    }

    @Test("the texts of a file are made printable")
    func texts() throws {
        try folder.write(#"{"value":{"standards":[],"unit":"mg\u0007/L"},"version":1}"#, to: "absorbance.json")
        let store = StoredValue<AbsorbanceSetup>("absorbance", in: StateFolder(folder.path), log: .silent) {
            $0.mapTexts { $0.replacing("\u{7}", with: "?") }
        }
        #expect(store.latest.value?.unit == "mg?/L")
    }

    @Test("a value is read from the folder that another program has, and changes are not kept there")
    func reading() async throws {
        let state = StateFolder(folder.path)
        let first = StoredValue<String>("camera", in: state, log: .silent)
        first.latest.publish("usb-A")
        await first.save()
        let second = StoredValue<String>(reading: "camera", in: StateFolder(folder.path), log: .silent)
        #expect(second.latest.value == "usb-A" && !second.isKept)
    }
}
