import Color
import Foundation
import Handoff
import Metrology
import TestSupport
import Testing

@testable import Storage

@Suite("Stored calibrations")
struct CalibrationStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder([:]) }

    private func store() -> CalibrationStore { CalibrationStore(folder: StateFolder(folder.path), log: .silent) }

    private func calibration(_ camera: String, luminance: Double = 0.18, note: String = "") throws -> Calibration {
        let conditions = MeasuringConditions(
            camera: camera, format: "YUYV", width: 640, height: 480,
            controls: ["gain": .number(64), "note": .text(note)])
        let card = CalibrationMeasurements.Card(
            measured: PatchMeasurement(linear: LinearRGB(r: 0.4, g: 0.3, b: 0.2)), luminance: luminance)
        return try Calibration(.init(card: card), conditions: conditions, time: "2026-11-25T12:00:00.000Z")
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("calibrations of several cameras are the same after a restart, but for texts that cannot be printed")
    func restart() async throws {
        let names = ["usb-A", "usb a/../é", "%", "calibration"]
        do {
            let store = store()
            for name in names { #expect(await store.store(try calibration(name, note: "a\u{1B}b"))) }
            #expect(store.problem == nil)
            #expect(store.calibrations.value.keys.sorted() == names.sorted())
        }
        #expect(
            try files == [
                "calibration-%25.json", "calibration-calibration.json", "calibration-usb%20a%2F%2E%2E%2F%C3%A9.json",
                "calibration-usb-A.json",
            ])
        let again = store()
        for name in names {
            #expect(again.calibrations.value[name] == (try calibration(name, note: "a\u{FFFD}b")))
        }
    }

    @Test("a camera has one calibration, and none after it is removed")
    func replace() async throws {
        let store = store()
        #expect(await store.store(try calibration("usb-A")))
        #expect(await store.store(try calibration("usb-A", luminance: 0.9)))
        #expect(store.calibrations.value["usb-A"]?.card?.luminance == 0.9)
        await store.remove("usb-A")
        await store.remove("usb-B")
        #expect(store.calibrations.value.isEmpty)
        #expect(try files.isEmpty)
    }

    @Test(
        "a file that Swatchcam did not write, or that is another camera's, is put aside",
        arguments: ["", "{}", "[1]", "{\"time\":\"\",\"conditions\":{}}", "\u{0}", nil])
    func foreign(content: String?) async throws {
        if let content {
            try folder.write(content, to: "calibration-usb-A.json")
        } else {
            do { #expect(await store().store(try calibration("usb-B"))) }
            try folder.rename("calibration-usb-B.json", to: "calibration-usb-A.json")
        }
        #expect(store().calibrations.value.isEmpty)
        #expect(try files == ["calibration-usb-A.damaged-1.json"])
        #expect(store().calibrations.value.isEmpty)
    }

    @Test("up to 64 cameras have a calibration")
    func count() async throws {
        let store = CalibrationStore(log: .silent)
        for number in 0..<64 { #expect(await store.store(try calibration("usb-\(number)"))) }
        #expect(await store.store(try calibration("usb-64")) == false)
        #expect(await store.store(try calibration("usb-63")))
        #expect(store.calibrations.value.count == 64)
    }

    @Test("a calibration that cannot be written still holds, and the reason is given")
    func unwritable() async throws {
        let first = StateFolder(folder.path)
        #expect(try first.claim())
        let store = store()
        #expect(await store.store(try calibration("usb-A")))
        #expect(store.calibrations.value["usb-A"] != nil)
        #expect(store.problem?.hasPrefix("The calibration will not be remembered for the next start: ") == true)
        withExtendedLifetime(first) {}
    }
}
