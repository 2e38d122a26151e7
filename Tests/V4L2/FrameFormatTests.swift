import Testing

@testable import V4L2

@Suite("The format of a stream")
struct FrameFormatTests {
    @Test(
        "the summary of a format has its rate to a tenth",
        arguments: [
            (29.97, "YUYV 640x480 at 30.0 frames a second"), (7.54, "YUYV 640x480 at 7.5 frames a second"),
            (nil, "YUYV 640x480"),
        ]
            as [(Double?, String)])
    func summary(rate: Double?, text: String) {
        let format = FrameFormat(
            fourCC: "YUYV", width: 640, height: 480, planes: [],
            colorimetry: .init(colorspace: .srgb, encoding: .bt601, quantization: .limitedRange), framesPerSecond: rate)
        #expect(format.summary == text)
    }
}
