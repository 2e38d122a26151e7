import Color
import Foundation
import Handoff
import Metrology
import Pixels
import TestSupport

@testable import Readings

extension Sample {
    /// A sample with every value, like the one in the documentation.
    static let example = Sample(
        id: 7, name: "Leaf", time: Date(timeIntervalSince1970: 1_795_203_000.25), state: .live, readings: 16,
        mean: RGB(r: 62.81, g: 167.2, b: 213.97), linear: .init(r: 0.0494, g: 0.3864, b: 0.672),
        standardError: .init(channels: .init(r: 0.05, g: 0.04, b: 0.06), deltaE: 0.03),
        quality: .init(grade: "fair", flags: [.init(code: "automatic", value: 1, message: "Gain is automatic.")]),
        camera: .init(id: "usb-C920", name: "HD Pro Webcam C920"), region: Region(x: 0.25, y: 0, width: 0.5, height: 1),
        controls: ["gain": .number(64), "auto_exposure": .number(1), "test_string": .text("a b")],
        frame: .init(width: 640, height: 480, format: "YUYV", colorimetry: "BT.601, limited range"),
        target: .init(name: "Sky", deltaE: 0.8213, verdict: .pass))

    /// A sample with only the required values.
    static let plain = Sample(
        id: 1, name: "Sample 1", time: Date(timeIntervalSince1970: 0), state: .testPattern, readings: 1,
        mean: RGB(r: 0, g: 128, b: 255), region: .full)

    /// Returns a copy with changes.
    func with(_ change: (inout Sample) -> Void) -> Sample {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Reading {
    /// Returns a reading of one frame with one grey value.
    /// - Parameter averaging: The number of frames that the reading averages.
    static func frame(
        _ sequence: UInt32, averaging count: UInt32 = 1, grey: Double = 100, ageMs: Double = 0
    ) -> Reading {
        sample.with {
            $0.mean = .init(r: grey, g: grey, b: grey)
            $0.frame?.sequence = sequence
            $0.frame?.time = MonotonicTime(nanoseconds: Int64(sequence))
            $0.frame?.firstTime = MonotonicTime(nanoseconds: Int64(sequence) - Int64(count) + 1)
            $0.frame?.ageMs = ageMs
        }
    }
}
