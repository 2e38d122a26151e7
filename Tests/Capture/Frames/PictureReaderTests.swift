import Color
import JPEG
import Pixels
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
            colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange),
            framesPerSecond: nil)
    }

    @Test("frames are read up to the largest size that can be requested", arguments: ["MJPG", "GREY"] as [FourCC])
    func largest(fourCC: FourCC) {
        #expect(throws: Never.self) { try PictureReader(format: format(fourCC, 16384, 16384), .init(Config())) }
    }

    @Test(
        "frames larger than can be requested are refused, even if the driver grants them",
        arguments: ["MJPG", "GREY"] as [FourCC], [(65535, 65535), (16385, 1), (1, 16385), (0, 0), (4_294_967_295, 1)])
    func tooLarge(fourCC: FourCC, size: (width: Int, height: Int)) {
        expectProblem(format(fourCC, size.width, size.height), "at most 16384 pixels")
    }

    private func expectProblem(_ format: FrameFormat, _ words: String) {
        let problem = #expect(throws: UnreadableFormat.self) { try PictureReader(format: format, .init(Config())) }
        #expect(problem?.reason.contains(words) == true, "\(problem?.reason ?? "")")
    }

    @Test("the reason why frames cannot be read is that of the format")
    func problems() {
        expectProblem(format("RGB3", 16, 8), "too short")
        expectProblem(format("H264", 16, 8), "does not know")
        var sequential = format("MJPG", 16, 8)
        sequential.fields = .sequential
        expectProblem(sequential, "two fields")
        var constant = format("NV12", 16, 8)
        constant.colorimetry.ycbcrEncoding = .bt2020ConstantLuminance
        expectProblem(constant, "constant luminance")
    }

    /// A picture that is white on the left and black on the right, in a raw format and as a JPEG image.
    private static let halves = Result {
        let rgb = FrameSample.rgbHalves
        let image = try JPEGEncoder().encode(
            unsafe rgb.bytes.span.bytes, order: .rgb, bytesPerLine: 48, width: 16, height: 8, quality: 95)
        return [rgb, FrameSample("MJPG", image, [])]
    }

    private func mean(of frame: FrameSample, _ config: Config) throws -> Double? {
        var reader = try PictureReader(format: frame.format, .init(config))
        var sums: PictureSums?
        frame.lend { sums = try? reader.content(of: $0, WantedColors(statistics: true)).colors?.region.sums }
        return sums?.mean.g
    }

    @Test("the region is a part of the picture as people see it", arguments: [(0, 255.0), (180, 0), (90, 127.5)])
    func region(degrees: Int, level: Double) throws {
        var config = Config()
        config.readings.region = Region(x: 0, y: 0, width: 0.5, height: 1)
        config.camera.rotate = degrees
        for frame in try Self.halves.get() { #expect(abs(try #require(try mean(of: frame, config)) - level) < 1) }
    }

    @Test("a reading averages code values or light, as the configuration says")
    func average() throws {
        var config = Config()
        for frame in try Self.halves.get() {
            config.readings.average = .srgb
            #expect(abs(try #require(try mean(of: frame, config)) - 127.5) < 1)
            config.readings.average = .linear
            #expect(abs(try #require(try mean(of: frame, config)) - 187.5) < 1)
        }
    }
}
