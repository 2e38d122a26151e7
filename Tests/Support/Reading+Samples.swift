import Color
import Foundation
import Handoff
package import Pixels
package import Readings

extension Reading {
    /// The example reading of the documentation.
    package static let sample = Reading(
        sequence: 1042,
        time: Date(timeIntervalSince1970: 1_795_203_000.25),
        state: .live,
        since: Date(timeIntervalSince1970: 1_795_200_000),
        message: nil,
        hex: "#3FA7D6",
        rgb: .init(r: 63, g: 167, b: 214),
        mean: .init(r: 62.81, g: 167.2, b: 213.97),
        brightness: 0.58035,
        textColor: "#000000",
        linear: LinearRGB(r: 0.04971, g: 0.386661, b: 0.672224),
        statistics: .sample,
        frame: .init(
            sequence: 15630, width: 640, height: 480, format: "YUYV", colorimetry: "BT.601, limited range", ageMs: 3.14),
        effect: "none",
        region: .full,
        camera: .init(
            id: "usb-046d_HD_Pro_Webcam_C920-video-index0", name: "HD Pro Webcam C920", device: "/dev/video0"),
        rate: .init(capture: 15.004, reading: 4, wanted: 4),
        dropped: 0)

    /// A reading without a colour.
    package static let noCamera = Reading(
        sequence: 1, time: Date(timeIntervalSince1970: 0), state: .noCamera, since: Date(timeIntervalSince1970: 0),
        message: "There is no camera. Connect one.", effect: "none", region: .full,
        rate: .init(capture: .nan, reading: 4, wanted: 4), dropped: 0,
        notices: [.init(topic: .automatic, message: "Gain is automatic.")],
        revisions: .init(cameras: 1, controls: 2))

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
