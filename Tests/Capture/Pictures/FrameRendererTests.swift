import JPEG
import Testing

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Pixels
@testable import State
@testable import V4L2

@Suite("The frame renderer")
struct FrameRendererTests {
    private func format(
        _ fourCC: FourCC, width: Int = 16, height: Int = 8, strides: [Int], range: Colorimetry.Quantization = .fullRange
    ) -> FrameFormat {
        FrameFormat(
            fourCC: fourCC, width: width, height: height,
            planes: strides.map { .init(bytesPerLine: $0, sizeImage: 1 << 20) },
            colorimetry: Colorimetry(ycbcrEncoding: .bt601, quantization: range), framesPerSecond: nil)
    }

    /// Returns a copy of a frame with these memory planes.
    private func copy(_ planes: [[UInt8]], _ format: FrameFormat) -> FrameCopy {
        let bytes = planes.flatMap { $0 }
        return unsafe bytes.withUnsafeBytes { memory in
            var parts: [UnsafeRawBufferPointer] = unsafe []
            var start = 0
            for plane in planes {
                unsafe parts.append(UnsafeRawBufferPointer(rebasing: memory[start..<start + plane.count]))
                start += plane.count
            }
            let frame = unsafe Frame(info: FrameInfo(sequence: 0, timestamp: .now()), planes: parts)
            return FrameCopy(frame, format: format, views: [.live], in: [])
        }
    }

    /// Returns the live picture and the inverted one, decoded.
    private func pictures(
        of planes: [[UInt8]], _ format: FrameFormat, _ orientation: Orientation = .upright,
        colorimetry: Config.Camera.Colorimetry = .auto
    ) throws -> (live: Bitmap, inverted: Bitmap) {
        var renderer = try #require(FrameRenderer(format, colorimetry: colorimetry, orientation: orientation))
        let encoder = try JPEGEncoder()
        let frame = copy(planes, format)
        let (width, height) =
            orientation.swapsSides ? (format.height, format.width) : (format.width, format.height)
        func decoded(_ image: [UInt8]) throws -> Bitmap {
            var bitmap = try #require(Bitmap(width: width, height: height))
            try JPEGDecoder.decode(unsafe image.span.bytes, into: &bitmap)
            return bitmap
        }
        let invert = try #require(Effects.named("invert"))
        return (
            try decoded(renderer.live(frame, quality: 95, encoder: encoder)),
            try decoded(renderer.processed(frame, quality: 95, encoder: encoder) { invert.apply(to: &$0) })
        )
    }

    private func channel(_ channel: Int, _ x: Int, _ y: Int, of bitmap: Bitmap) -> Int {
        Int(bitmap.bytes[4 * (y * bitmap.width + x) + channel])
    }

    /// Checks that a picture has one colour.
    private func expectColor(_ color: [Int], _ bitmap: Bitmap) {
        for (index, value) in bitmap.bytes.enumerated() where index % 4 < 3 {
            guard abs(Int(value) - color[index % 4]) > 3 else { continue }
            Issue.record("byte \(index) is \(value), not \(color[index % 4])")
            return
        }
    }

    private static let luma = [UInt8](repeating: 120, count: 128)

    @Test(
        "a frame whose planes are in separate buffers is drawn in its colour",
        arguments: [
            ("NM12", [luma, [[UInt8]](repeating: [100, 170], count: 32).flatMap { $0 }], [16, 16]),
            ("NM21", [luma, [[UInt8]](repeating: [170, 100], count: 32).flatMap { $0 }], [16, 16]),
            ("YM12", [luma, [UInt8](repeating: 100, count: 32), [UInt8](repeating: 170, count: 32)], [16, 8, 8]),
            ("YM21", [luma, [UInt8](repeating: 170, count: 32), [UInt8](repeating: 100, count: 32)], [16, 8, 8]),
        ] as [(FourCC, [[UInt8]], [Int])], Orientation.all)
    func separatePlanes(frame: (fourCC: FourCC, planes: [[UInt8]], strides: [Int]), orientation: Orientation) throws {
        let format = format(frame.fourCC, strides: frame.strides, range: .limitedRange)
        let pictures = try pictures(of: frame.planes, format, orientation)
        expectColor([188, 98, 65], pictures.live)
        expectColor([67, 157, 190], pictures.inverted)
    }

    @Test(
        "the padding after the pixels of a row is not drawn",
        arguments: [("RGB3", [0, 1, 2]), ("BGR3", [2, 1, 0])] as [(FourCC, [Int])])
    func paddedRows(fourCC: FourCC, order: [Int]) throws {
        let pixel = order.map { [200, 100, 50][$0] as UInt8 }
        let row = Array(repeatElement(pixel, count: 16).joined()) + [0, 255, 0, 255, 0]
        // The last row may lack its padding.
        let bytes = Array(repeatElement(row, count: 8).joined().dropLast(5))
        let pictures = try pictures(of: [bytes], format(fourCC, strides: [53]))
        expectColor([200, 100, 50], pictures.live)
        expectColor([55, 155, 205], pictures.inverted)
    }

    @Test(
        "pictures are rotated and then mirrored as the orientation says",
        arguments: [
            (.degrees0, false, "left"), (.degrees0, true, "right"), (.degrees90, false, "top"),
            (.degrees90, true, "top"), (.degrees180, false, "right"), (.degrees180, true, "left"),
            (.degrees270, false, "bottom"), (.degrees270, true, "bottom"),
        ] as [(Orientation.Rotation, Bool, String)], ["RGB3", "YUYV", "GREY", "MJPG"] as [FourCC])
    func oriented(turn: (rotation: Orientation.Rotation, isMirrored: Bool, bright: String), fourCC: FourCC) throws {
        // White on the left, black on the right.
        let white = (0..<32 * 16).map { $0 % 32 < 16 }
        let rgb = white.flatMap { [UInt8](repeating: $0 ? 255 : 0, count: 3) }
        let (bytes, stride): ([UInt8], Int) =
            switch fourCC {
            case "RGB3": (rgb, 96)
            case "YUYV": (white.flatMap { [$0 ? 255 : 0, 128] }, 64)
            case "GREY": (white.map { $0 ? 255 : 0 }, 32)
            default:
                (
                    try JPEGEncoder().encode(
                        unsafe rgb.span.bytes, order: .rgb, bytesPerLine: 96, width: 32, height: 16, quality: 95), 0
                )
            }
        let pictures = try pictures(
            of: [bytes], format(fourCC, width: 32, height: 16, strides: [stride]),
            Orientation(rotation: turn.rotation, isMirrored: turn.isMirrored))
        let opposite = ["left": "right", "right": "left", "top": "bottom", "bottom": "top"]
        #expect(brightSide(of: pictures.live) == turn.bright)
        #expect(brightSide(of: pictures.inverted) == opposite[turn.bright])
    }

    @Test(
        "pictures of MJPG and grey show the colours that are read with the configured colorimetry",
        arguments: ["MJPG", "GREY"] as [FourCC],
        [
            (.auto, [16, 126, 235]), (.full, [16, 126, 235]), (.limited, [0, 128, 255]),
            (.bt709Limited, [0, 128, 255]),
        ] as [(Config.Camera.Colorimetry, [Int])])
    func colorimetry(fourCC: FourCC, shown: (colorimetry: Config.Camera.Colorimetry, levels: [Int])) throws {
        for (code, level) in zip([16, 126, 235], shown.levels) {
            let luma = [UInt8](repeating: UInt8(code), count: 128)
            let image = try unsafe JPEGEncoder().encode(
                (luma.span.bytes, luma.span.bytes, luma.span.bytes), bytesPerLine: [16, 16, 16], width: 16, height: 8,
                chromaShifts: nil, quality: 95)
            let planes = [fourCC == "MJPG" ? image : luma]
            for orientation in [.upright, Orientation(rotation: .degrees90, isMirrored: false)] {
                let pictures = try pictures(of: planes, grey(fourCC), orientation, colorimetry: shown.colorimetry)
                expectColor([Int](repeating: level, count: 3), pictures.live)
                expectColor([Int](repeating: 255 - level, count: 3), pictures.inverted)
            }
        }
    }

    private func grey(_ fourCC: FourCC) -> FrameFormat {
        FrameFormat(
            fourCC: fourCC, width: 16, height: 8, planes: [.init(bytesPerLine: 16, sizeImage: 1 << 20)],
            colorimetry: Colorimetry(), framesPerSecond: nil)
    }

    /// Returns which half of a picture is the brighter one.
    private func brightSide(of bitmap: Bitmap) -> String? {
        let (right, bottom) = (bitmap.width - 1, bitmap.height - 1)
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { channel(1, $0, $1, of: bitmap) > 127 }
        return switch corners {
        case [true, false, true, false]: "left"
        case [false, true, false, true]: "right"
        case [true, true, false, false]: "top"
        case [false, false, true, true]: "bottom"
        default: nil
        }
    }

    @Test(
        "frames of a size that no picture can have are not drawn",
        arguments: [(0, 8), (16, 0), (65537, 1), (1, 65537)], ["MJPG", "GREY"] as [FourCC])
    func size(size: (width: Int, height: Int), fourCC: FourCC) {
        let format = format(fourCC, width: size.width, height: size.height, strides: [size.width])
        #expect(FrameRenderer(format, colorimetry: .auto, orientation: .upright) == nil)
    }

    @Test("frames that are as large as a picture can be are drawn", arguments: [(65536, 1), (1, 65536)])
    func largest(width: Int, height: Int) {
        let format = format("MJPG", width: width, height: height, strides: [0])
        #expect(FrameRenderer(format, colorimetry: .auto, orientation: .upright) != nil)
    }

    @Test(
        "libjpeg-turbo gets the bytes of a frame if they are 8-bit R'G'B' with full range, in their order",
        arguments: [
            ("RGB3", .rgb), ("BGR3", .bgr), ("XB24", .rgbx), ("AB24", .rgbx), ("XR24", .bgrx), ("BGR4", .bgrx),
            ("BX24", .xrgb), ("RGB4", .xrgb), ("RX24", .xbgr), ("RA24", .xbgr), ("GREY", nil), ("YUYV", nil),
            ("RGBP", nil), ("HSV3", nil),
        ] as [(FourCC, JPEGEncoder.PixelOrder?)])
    func order(fourCC: FourCC, order: JPEGEncoder.PixelOrder?) throws {
        let full = try PictureLayout(format(fourCC, strides: [64]), colorimetry: .auto)
        #expect(JPEGEncoder.PixelOrder(full) == order)
        let limited = try PictureLayout(format(fourCC, strides: [64]), colorimetry: .limited)
        #expect(JPEGEncoder.PixelOrder(limited) == nil)
    }
}
