import Testing

@testable import Capture
@testable import Configuration
@testable import V4L2

@Suite("The format to request from a camera")
struct FormatSelectionTests {
    private func offer(_ fourCC: FourCC, _ sizes: [(Int, Int, Double)]) -> OfferedFormat {
        OfferedFormat(
            fourCC: fourCC, name: "",
            sizes: .discrete(sizes.map { .init(width: $0.0, height: $0.1, rates: [$0.2]) }))
    }

    typealias Offer = (FourCC, Int, Int, Double)

    @Test(
        "auto takes a readable format that comes in the wanted size at the wanted rate, colour before grey, MJPG last",
        arguments: [
            ([("RGB3", 640, 480, 5), ("YUYV", 640, 480, 30)], "YUYV"),
            ([("H264", 640, 480, 30), ("GREY", 320, 240, 5)], "GREY"),
            ([("YUYV", 640, 480, 5), ("MJPG", 640, 480, 30)], "MJPG"),
            ([("GREY", 640, 480, 30), ("NV12", 640, 480, 30)], "NV12"),
            ([("YUYV", 640, 360, 30), ("MJPG", 640, 480, 30)], "MJPG"),
            ([("YUYV", 800, 480, 30), ("MJPG", 640, 480, 30)], "MJPG"),
            // A rate satisfies the wanted 15 if it is nearly as high.
            ([("YUYV", 640, 480, 14.998), ("MJPG", 640, 480, 30)], "YUYV"),
            ([("YUYV", 640, 480, 14.985), ("MJPG", 640, 480, 30)], "MJPG"),
        ] as [([Offer], FourCC)])
    func fitting(offers: [Offer], taken: FourCC) {
        let offered = offers.map { offer($0.0, [($0.1, $0.2, $0.3)]) }
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format(taken))
    }

    @Test("auto does not take an alternative to another format, but it can be named")
    func alternative() {
        var alternative = offer("RG10", [(640, 480, 30)])
        alternative.isAlternative = true
        let offered = [offer("pRAA", [(640, 480, 30)]), alternative]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("pRAA"))
        var camera = Config.Camera()
        camera.format = "RG10"
        #expect(FormatSelection(camera, offered: offered) == .format("RG10"))
    }

    @Test("a format whose rates the driver does not report comes at the wanted rate")
    func unknownRates() {
        let size = OfferedFormat.Size(width: 640, height: 480, rates: [])
        let offered = [
            OfferedFormat(fourCC: "YUYV", name: "", sizes: .discrete([size])), offer("MJPG", [(640, 480, 30)]),
        ]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format("YUYV"))
    }

    @Test(
        "a format that comes in all sizes of a range comes in the wanted size if the range contains it",
        arguments: [
            (640...1920, 480...1080, "YUYV"), (16...640, 16...480, "YUYV"), (641...1920, 480...1080, "MJPG"),
            (640...1920, 481...1080, "MJPG"),
        ] as [(ClosedRange<Int>, ClosedRange<Int>, FourCC)])
    func stepwise(widths: ClosedRange<Int>, heights: ClosedRange<Int>, taken: FourCC) {
        let offered = [
            OfferedFormat(
                fourCC: "YUYV", name: "",
                sizes: .stepwise(width: widths, widthStep: 1, height: heights, heightStep: 1)),
            offer("MJPG", [(640, 480, 30)]),
        ]
        #expect(FormatSelection(Config.Camera(), offered: offered) == .format(taken))
    }

    @Test(
        "a format that is not taken is explained",
        arguments: [
            ("H264", ["H264"], "Swatchcam does not read the format H264; ", " The camera offers: H264."),
            ("YUYV", ["H264"], "The camera does not offer the format YUYV. ", "The camera offers: H264."),
            ("auto", ["H264"], "Swatchcam reads none of this camera's formats. The camera offers: H264. ", " reads."),
            ("YUYV", [], "The camera does not offer the format YUYV. ", "The camera offers none."),
        ] as [(String, [FourCC], String, String)])
    func explained(format: String, offered: [FourCC], start: String, end: String) {
        var camera = Config.Camera()
        camera.format = format
        guard case .unsupported(let message) = FormatSelection(camera, offered: offered.map { offer($0, []) }) else {
            Issue.record("a format was chosen")
            return
        }
        #expect(message.hasPrefix(start) && message.hasSuffix(end), "\(message)")
    }

    @Test(
        "the explanation lists twelve of the formats that a camera offers, and is short enough to be read",
        arguments: ["auto", "H264", "YUYV"])
    func manyFormats(format: String) {
        var camera = Config.Camera()
        camera.format = format
        let offered = (0..<256).map { offer(FourCC(rawValue: 0x3030_3030 + $0), []) }
        guard case .unsupported(let message) = FormatSelection(camera, offered: offered) else {
            Issue.record("a format was chosen")
            return
        }
        #expect(message.contains(/offers: (....?, ){11}....? and 244 more\./), "\(message)")
        #expect(message.count < 300)
    }
}

@Suite("The difference between the granted and the requested format")
struct FrameFormatDifferenceTests {
    private func difference(
        _ fourCC: FourCC, _ width: Int, _ height: Int, rate: Double?, format: String = "auto"
    ) -> String? {
        var camera = Config.Camera()
        camera.format = format
        return FrameFormat(
            fourCC: fourCC, width: width, height: height, planes: [],
            colorimetry: .init(ycbcrEncoding: .bt601, quantization: .fullRange), framesPerSecond: rate
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
