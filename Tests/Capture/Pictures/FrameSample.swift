import Testing
import V4L2

@testable import Documents
@testable import Handoff

/// A frame of 16 x 8 pixels.
struct FrameSample: Sendable, CustomTestStringConvertible {
    let format: FrameFormat
    let bytes: [UInt8]
    /// The expected colour in R'G'B'; empty if there is none.
    let color: [Int]

    var testDescription: String { format.fourCC.description }

    init(_ fourCC: FourCC, _ bytes: [UInt8], _ color: [Int]) {
        let stride = ["RGB3": 48, "BX24": 64, "YUYV": 32, "MJPG": 0][fourCC] ?? 16
        format = FrameFormat(
            fourCC: fourCC, width: 16, height: 8, planes: [.init(bytesPerLine: stride, sizeImage: 1 << 16)],
            colorimetry: Colorimetry(), framesPerSecond: nil)
        self.bytes = bytes
        self.color = color
    }

    func lend(_ body: (borrowing Frame) -> Void) {
        body(Frame(info: FrameInfo(sequence: 1, timestamp: .now())) { [bytes] in bytes })
    }

    static let rgb = FrameSample(
        "RGB3", [[UInt8]](repeating: [200, 100, 50], count: 128).flatMap { $0 }, [200, 100, 50])
    /// A frame in BT.601 with limited range.
    static let yuyv = FrameSample(
        "YUYV", [[UInt8]](repeating: [120, 100, 120, 170], count: 64).flatMap { $0 }, [188, 98, 65])
    static let nv12 = FrameSample(
        "NV12", [UInt8](repeating: 120, count: 128) + [[UInt8]](repeating: [100, 170], count: 32).flatMap { $0 },
        [188, 98, 65])
    static let grey = FrameSample("GREY", [UInt8](repeating: 77, count: 128), [77, 77, 77])
    static let xrgb = FrameSample(
        "BX24", [[UInt8]](repeating: [9, 200, 100, 50], count: 128).flatMap { $0 }, [200, 100, 50])
    /// White on the left, black on the right.
    static let rgbHalves = FrameSample(
        "RGB3", (0..<128).flatMap { [UInt8](repeating: $0 % 16 < 8 ? 255 : 0, count: 3) }, [])
    static let all = [rgb, xrgb, yuyv, nv12, grey]
}
