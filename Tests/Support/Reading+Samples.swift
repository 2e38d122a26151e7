import Color
import Documents
import Foundation
package import Readings

@testable import Handoff
@testable package import Pixels

extension Reading {
    /// The example reading of the documentation.
    package static let sample = none.with { reading in
        reading.sequence = 1042
        reading.time = Date(timeIntervalSince1970: 1_795_203_000.25)
        reading.state = .live
        reading.since = Date(timeIntervalSince1970: 1_795_200_000)
        reading.message = nil
        reading.mean = .init(r: 62.81, g: 167.2, b: 213.97)
        reading.linear = LinearRGB(r: 0.04971, g: 0.386661, b: 0.672224)
        reading.statistics = .sample
        reading.frame = .init(
            sequence: 15630, width: 640, height: 480, format: "YUYV", colorimetry: "BT.601, limited range", ageMs: 3.14)
        reading.camera = .init(
            id: "usb-046d_HD_Pro_Webcam_C920-video-index0", name: "HD Pro Webcam C920", device: "/dev/video0")
        (reading.rate.capture, reading.rate.reading, reading.rate.wanted) = (15.004, 4, 4)
    }

    /// A reading without a colour.
    package static let noCamera = none.with { reading in
        reading.sequence = 1
        reading.time = Date(timeIntervalSince1970: 0)
        reading.state = .noCamera
        reading.since = Date(timeIntervalSince1970: 0)
        reading.message = "There is no camera. Connect one."
        (reading.rate.capture, reading.rate.reading, reading.rate.wanted) = (.nan, 4, 4)
        reading.notices = [.init(topic: .automatic, message: "Gain is automatic.")]
        reading.revisions = .init(cameras: 1, controls: 2)
    }

    /// Returns a copy with changes.
    package func with(_ change: (inout Reading) -> Void) -> Reading {
        var copy = self
        change(&copy)
        return copy
    }
}

extension RegionStatistics {
    /// The statistics in the example reading.
    package static let sample = RegionStatistics(
        pixels: 6279, regionPixels: 307_200,
        minimum: RGB(r: 48, g: 155, b: 203), maximum: RGB(r: 79, g: 181, b: 226), median: RGB(r: 63, g: 167, b: 214),
        standardDeviation: ChannelFigures(r: 3.14159, g: 2.5, b: 2.0625), clippedLow: ChannelFigures(r: 0, g: 0, b: 0),
        clippedHigh: ChannelFigures(r: 0, g: 0, b: 0), outOfGamut: 0,
        dominant: DominantColor(color: RGB(r: 62.8, g: 167.2, b: 214), share: 0.9984537),
        histogram: Histogram(
            r: [Int](repeating: 48, count: 256), g: [Int](repeating: 48, count: 256),
            b: [Int](repeating: 48, count: 256)))
}
