import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The difference between the granted and the requested format")
struct FrameFormatDifferenceTests {
    private func difference(
        _ fourCC: FourCC, _ width: Int, _ height: Int, rate: Double?, format: String = "auto"
    ) -> String? {
        var camera = Config.Camera()
        camera.format = format
        return FrameFormat(
            fourCC: fourCC, width: width, height: height, planes: [],
            colorimetry: .init(
                colorspace: .srgb, encoding: .bt601, quantization: .fullRange), framesPerSecond: rate
        ).difference(from: camera)
    }

    @Test("there is no difference if the camera grants what was requested", arguments: [15, 14.99, nil])
    func none(rate: Double?) {
        #expect(difference("YUYV", 640, 480, rate: rate, format: "YUYV") == nil)
    }

    @Test("a difference between the granted and the requested format is described in a sentence")
    func sentence() {
        #expect(
            difference("YUYV", 1280, 720, rate: 29.97, format: "MJPG")
                == "Requested 640x480 and 15 frames/s and MJPG; "
                + "the camera delivers 1280x720 and 29.97 frames/s and YUYV.")
        #expect(difference("YUYV", 640, 480, rate: 30) == "Requested 15 frames/s; the camera delivers 30 frames/s.")
    }

    @Test(
        "a rate counts as another one if it differs by more than a hundredth",
        arguments: [(14.86, false), (14.84, true)])
    func rate(rate: Double, isOther: Bool) {
        #expect((difference("YUYV", 640, 480, rate: rate) != nil) == isOther)
    }

    @Test("a difference in width alone or height alone is described", arguments: [(800, 480), (640, 600)])
    func size(width: Int, height: Int) {
        #expect(
            difference("YUYV", width, height, rate: 15)
                == "Requested 640x480; the camera delivers \(width)x\(height).")
    }
}
