import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The picture reader")
struct PictureReaderTests {
    private func format(_ fourCC: FourCC, _ width: Int, _ height: Int) -> FrameFormat {
        FrameFormat(
            fourCC: fourCC, width: width, height: height,
            planes: [.init(bytesPerLine: width, sizeImage: Int(UInt32.max))],
            colorimetry: Colorimetry(colorspace: .srgb, encoding: .bt601, quantization: .fullRange),
            framesPerSecond: nil)
    }

    @Test("frames are read up to the largest size that can be requested", arguments: ["MJPG", "GREY"] as [FourCC])
    func largest(fourCC: FourCC) {
        #expect(PictureReader(format: format(fourCC, 16384, 16384), .init(Config())) != nil)
    }

    @Test(
        "frames larger than can be requested are refused, even if the driver grants them",
        arguments: ["MJPG", "GREY"] as [FourCC], [(65535, 65535), (16385, 1), (1, 16385), (0, 0), (4_294_967_295, 1)])
    func tooLarge(fourCC: FourCC, size: (width: Int, height: Int)) {
        #expect(PictureReader(format: format(fourCC, size.width, size.height), .init(Config())) == nil)
    }
}
