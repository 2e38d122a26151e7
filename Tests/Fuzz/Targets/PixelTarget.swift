import Color
import JPEG
import Logging
import Pixels

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import State
@testable import V4L2

/// A target for raw frames of any format, about which the video driver may report anything: sizes, strides, colorimetry
/// and the number of bytes that it filled.
enum PixelTarget: FuzzTarget {
    static let name = "pixels"

    /// The number of pixels up to which pictures are drawn; larger ones are only read.
    private static let maxPixels = 1 << 14

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (index, format) in PixelFormat.all.enumerated() {
            // The head consists of index, size and the video driver's values; the rest is the picture.
            let head: [UInt8] = [UInt8(index), 0, 15, 11, 0, 0, 0, 0, UInt8(index % 8), 0, 0]
            seeds[format.fourCC] =
                head
                + (0..<256).map { UInt8(truncatingIfNeeded: $0 * 37 + index) }
        }
        return seeds
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        var input = FuzzInput(bytes)
        let format = frameFormat(from: &input)
        let config = config(from: &input)
        guard var reader = try? PictureReader(format: format, .init(config)) else { return }
        let buffers = Buffers(of: format, from: &input)
        try checkReading(&reader, buffers, format, config)
        guard format.width * format.height <= maxPixels else { return }
        try checkPicture(buffers, format, config)
    }

    /// Returns a format that a driver may grant: mostly a sensible layout, otherwise any numbers.
    private static func frameFormat(from input: inout FuzzInput) -> FrameFormat {
        let pixels = input.element(of: PixelFormat.all)
        let kind = input.byte()
        let isWild = kind & 1 == 1
        var (width, height) = (1 + Int(input.byte()), 1 + Int(input.byte()))
        if isWild && kind & 2 == 2 {
            (width, height) = (Int(input.integer(UInt32.self)), Int(input.integer(UInt32.self)))
        }
        let padding = Int(input.byte())
        let planes = (0..<(isWild ? input.number(1...4) : pixels.bufferCount)).map { _ in
            isWild
                ? FrameFormat.Plane(
                    bytesPerLine: Int(input.integer(UInt32.self)), sizeImage: Int(input.integer(UInt32.self)))
                : FrameFormat.Plane(
                    bytesPerLine: (width * pixels.bitsPerPixel + 7) / 8 + padding, sizeImage: 1 << 20)
        }
        let colorimetry = Colorimetry(
            colorspace: UInt32(input.byte()), encoding: UInt32(input.byte()), quantization: UInt32(input.byte()),
            transferFunction: 0)
        return FrameFormat(
            fourCC: FourCC(pixels.fourCC) ?? "YUYV", width: width, height: height, planes: planes,
            colorimetry: colorimetry, framesPerSecond: nil)
    }

    /// Returns a configuration with any valid region and average.
    private static func config(from input: inout FuzzInput) -> Config {
        var config = Config()
        let kind = input.byte()
        config.camera.rotate = [0, 90, 180, 270][Int(kind & 3)]
        config.camera.mirror = kind & 4 != 0
        config.readings.average = kind & 8 == 0 ? .srgb : .linear
        config.picture.effect = Effects.all[Int(kind >> 4) % Effects.all.count].name
        guard input.flag() else { return config }
        let (x, y) = (Double(input.byte()) / 256, Double(input.byte()) / 256)
        config.readings.region = Region(
            x: x, y: y, width: (1 - x) * Double(1 + Int(input.byte())) / 256,
            height: (1 - y) * Double(1 + Int(input.byte())) / 256)
        return config
    }

    /// Checks that the mean of a frame is a colour, that the region lies in the picture, and that a second reading
    /// gives the same mean.
    private static func checkReading(
        _ reader: inout PictureReader, _ buffers: Buffers, _ format: FrameFormat, _ config: Config
    ) throws(Finding) {
        guard
            let mean = buffers.lent({
                try? reader.content(of: $0, WantedColors(statistics: true)).colors?.region.sums.mean
            })
        else {
            return
        }
        try check(
            [mean.r, mean.g, mean.b].allSatisfy { (-1e-6...255.000001).contains($0) },
            "a mean of \(mean) in \(format.summary)")
        guard case .raw(let analyser) = reader else { return }
        let rect = analyser.region.rect
        try check(
            rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 && rect.x + rect.width <= format.width
                && rect.y + rect.height <= format.height, "\(rect) of \(format.summary)")
        let again = buffers.lent {
            try? reader.content(of: $0, WantedColors(statistics: true)).colors?.region.sums.mean
        }
        try check(again == mean, "another mean of the same frame")
    }

    /// Checks that the drawn picture has the frame's size after turning.
    private static func checkPicture(_ buffers: Buffers, _ format: FrameFormat, _ config: Config) throws(Finding) {
        let orientation = config.camera.orientation
        guard var canvas = FrameRenderer(format, colorimetry: config.camera.colorimetry, orientation: orientation)
        else {
            return
        }
        let frame = buffers.lent { FrameCopy($0, format: format, views: [.live], in: []) }
        let (width, height) =
            orientation.swapsSides ? (format.height, format.width) : (format.width, format.height)
        var images: [[UInt8]] = []
        do throws(JPEGError) {
            let encoder = try JPEGEncoder()
            images.append(try canvas.live(frame, quality: 80, encoder: encoder))
            if let effect = Effects.named(config.picture.effect) {
                images.append(try canvas.processed(frame, quality: 20, encoder: encoder) { effect.apply(to: &$0) })
            }
        } catch .truncated {
            // The whole picture needs more bytes than the region.
        } catch {
            try check(false, "\(format.summary): \(error)")
        }
        for image in images {
            let size = JPEGTarget.declaredSize(of: image)
            try check(
                size == JPEGTarget.Size(width: width, height: height),
                "\(size.map { "\($0)" } ?? "no size") of \(width) x \(height)")
        }
    }
}

/// The memory of a frame, with each plane exactly as long as the video driver reports.
@safe private final class Buffers {
    private let planes: [UnsafeMutableRawBufferPointer]

    init(of format: FrameFormat, from input: inout FuzzInput) {
        let count = format.planes.count
        let isShort = input.flag()
        let bytes = input.bytes()
        let wanted = format.planes.map { plane in
            // This is the minimum size of a picture with this stride, times the maximum number of planes.
            min(plane.bytesPerLine.multipliedReportingOverflow(by: 3 * (format.height + 8)).partialValue, 1 << 17)
        }
        unsafe planes = (0..<count).map { index in
            let length = isShort ? bytes.count / count : max(wanted[index], 0)
            let plane = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
            for place in 0..<length {
                unsafe plane[place] = bytes.isEmpty ? 0x80 : bytes[(place + index) % bytes.count]
            }
            return unsafe plane
        }
    }

    deinit { unsafe planes.forEach { unsafe $0.deallocate() } }

    func lent<Result>(_ body: (borrowing Frame) -> Result) -> Result {
        let frame = unsafe Frame(
            info: FrameInfo(sequence: 0, timestamp: MonotonicTime(nanoseconds: 0)),
            planes: planes.map { UnsafeRawBufferPointer($0) })
        return body(frame)
    }
}
