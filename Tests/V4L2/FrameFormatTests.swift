import CV4L2
import FakeDriver
import Glibc
import ModelCamera
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
            colorimetry: .init(ycbcrEncoding: .bt601, quantization: .limitedRange), framesPerSecond: rate)
        #expect(format.summary == text)
    }
}

@Suite("FourCC")
struct FourCCTests {
    @Test(
        "a fourcc is parsed to the kernel's code and written back as the same text",
        arguments: [
            ("YUYV", 0x5659_5559), ("Y10", 0x2030_3159), ("Y16-BE", 0xA036_3159), ("RGB3", 0x3342_4752),
        ] as [(String, UInt32)])
    func roundTrip(text: String, code: UInt32) throws {
        let fourCC = try #require(FourCC(text))
        #expect(fourCC.rawValue == code)
        #expect(fourCC.description == text)
    }

    @Test(
        "a fourcc of any bits can be written",
        arguments: [(0x0102_4241, "AB??"), (0x2020_2041, "A"), (0xFFFF_FFFF, "????-BE"), (0x7E41_2041, "A A~")]
            as [(UInt32, String)])
    func anyBits(code: UInt32, text: String) {
        #expect(FourCC(rawValue: code).description == text)
    }

    @Test("a literal that is not a fourcc becomes the code that no driver uses")
    func wrongLiteral() {
        #expect(("YUYV2" as FourCC).rawValue == 0)
    }

    @Test(
        "text other than one to four printable ASCII characters is not a fourcc",
        arguments: ["", "YUYV2", "YÜV", "A\u{7}", "-BE"])
    func refused(text: String) {
        #expect(FourCC(text) == nil)
    }
}

@Suite("The formats that a camera offers")
struct OfferedFormatTests {
    private func interval(_ numerator: UInt32, _ denominator: UInt32) -> v4l2_frmivalenum {
        var reply = v4l2_frmivalenum()
        reply.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        reply.discrete = v4l2_fract(numerator: numerator, denominator: denominator)
        return reply
    }

    private func size(_ width: UInt32, _ height: UInt32) -> v4l2_frmsizeenum {
        var reply = v4l2_frmsizeenum()
        reply.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        reply.discrete = v4l2_frmsize_discrete(width: width, height: height)
        return reply
    }

    private func format(_ fourCC: FourCC, _ name: String) -> v4l2_fmtdesc {
        var reply = v4l2_fmtdesc()
        reply.pixelformat = fourCC.rawValue
        unsafe withUnsafeMutableBytes(of: &reply.description) { unsafe $0.copyBytes(from: Array(name.utf8)) }
        return reply
    }

    @Test("formats are listed in the driver's order, with each size and its rates, highest first")
    func discrete() throws {
        let driver = ModelDriver()
        driver.list(FAKE_ENUM_FMT, [format("MJPG", "Motion-JPEG"), format("YUYV", "YUYV 4:2:2")], at: \.index)
        driver.list(FAKE_ENUM_FRAMESIZES, [size(640, 480), size(1280, 720)], at: \.index)
        driver.list(
            FAKE_ENUM_FRAMEINTERVALS, [interval(1, 5), interval(1, 30), interval(0, 1), interval(1, 0)], at: \.index)
        let formats = try driver.withDevice { $0.offeredFormats() }
        let sizes = OfferedFormat.Sizes.discrete([
            .init(width: 640, height: 480, rates: [30, 5]), .init(width: 1280, height: 720, rates: [30, 5]),
        ])
        #expect(
            formats == [
                OfferedFormat(fourCC: "MJPG", name: "Motion-JPEG", sizes: sizes),
                OfferedFormat(fourCC: "YUYV", name: "YUYV 4:2:2", sizes: sizes),
            ])
    }

    @Test("sizes are listed for each format, and rates for each size")
    func requests() throws {
        let driver = ModelDriver()
        driver.on(FAKE_ENUM_FMT, v4l2_fmtdesc.self) { [self] request in
            guard request.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue, request.index == 0 else { return EINVAL }
            request = format("YUYV", "YUYV")
            return 0
        }
        driver.on(FAKE_ENUM_FRAMESIZES, v4l2_frmsizeenum.self) { [self] request in
            guard request.pixel_format == FourCC("YUYV").rawValue, request.index == 0 else { return EINVAL }
            request = size(640, 480)
            return 0
        }
        driver.on(FAKE_ENUM_FRAMEINTERVALS, v4l2_frmivalenum.self) { [self] request in
            let isAsked =
                request.pixel_format == FourCC("YUYV").rawValue && request.width == 640
                && request.height == 480
            guard isAsked, request.index == 0 else { return EINVAL }
            request = interval(1, 15)
            return 0
        }
        let sizes = try driver.withDevice { $0.offeredFormats().map(\.sizes) }
        #expect(sizes == [.discrete([.init(width: 640, height: 480, rates: [15])])])
    }

    @Test("a stepwise range of sizes is listed by its ends, of which the upper is not below the lower")
    func stepwise() throws {
        var range = v4l2_frmsizeenum()
        range.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
        range.stepwise = v4l2_frmsize_stepwise(
            min_width: 16, max_width: 1920, step_width: 2, min_height: 90, max_height: 8, step_height: 4)
        let driver = ModelDriver()
        driver.list(FAKE_ENUM_FRAMESIZES, [range], at: \.index)
        let sizes = try driver.withDevice { $0.sizes(of: "YUYV") }
        #expect(sizes == .stepwise(width: 16...1920, widthStep: 2, height: 90...90, heightStep: 4))
    }

    @Test("a continuous range of rates is listed by its ends")
    func stepwiseRates() throws {
        var range = v4l2_frmivalenum()
        range.type = V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
        range.stepwise.min = v4l2_fract(numerator: 1, denominator: 60)
        range.stepwise.max = v4l2_fract(numerator: 2, denominator: 1)
        let driver = ModelDriver()
        driver.list(FAKE_ENUM_FRAMESIZES, [size(640, 480)], at: \.index)
        driver.list(FAKE_ENUM_FRAMEINTERVALS, [range], at: \.index)
        let sizes = try driver.withDevice { $0.sizes(of: "YUYV") }
        #expect(sizes == .discrete([.init(width: 640, height: 480, rates: [60, 0.5])]))
    }

    @Test("at most 256 formats are listed")
    func endless() throws {
        let driver = ModelDriver()
        driver.on(FAKE_ENUM_FMT, v4l2_fmtdesc.self) { _ in 0 }
        #expect(try driver.withDevice { $0.formats().count } == 256)
    }
}
