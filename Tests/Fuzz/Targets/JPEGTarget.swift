import Color
import Pixels

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import JPEG

/// A target for JPEG frames as a camera may send them: cut off, of another size, without tables, or not JPEG at all.
enum JPEGTarget: FuzzTarget {
    static let name = "jpeg"

    /// The number of pixels up to which pictures are decoded. Larger ones would take too long and show nothing else.
    private static let maxPixels = 1 << 18

    static var seeds: [String: [UInt8]] {
        guard let encoder = try? JPEGEncoder() else { return [:] }
        var seeds: [String: [UInt8]] = [:]
        let samples = (0..<3 * 40 * 40).map { UInt8(truncatingIfNeeded: $0 * $0 >> 4) }
        for (name, shifts) in [
            ("grey", nil), ("444", (0, 0)), ("422", (1, 0)), ("420", (1, 1)), ("440", (0, 1)), ("411", (2, 0)),
        ] as [(String, (x: Int, y: Int)?)] {
            let image = unsafe try? encoder.encode(
                (samples.span.bytes, samples.span.bytes, samples.span.bytes), bytesPerLine: [40, 40, 40], width: 40,
                height: 35, chromaShifts: shifts, quality: 30)
            guard let image else { continue }
            seeds[name] = [UInt8(seeds.count)] + image
            if name == "420",
                let header = image.indices.dropLast().first(where: { image[$0...].starts(with: [0xFF, 0xC0]) })
            {
                seeds["huge"] = [4] + image[..<(header + 5)] + [0xFF, 0xDC, 0xFF, 0xDC] + image[(header + 9)...]
                seeds["stray"] = [4] + image.dropLast(2) + [0, 0, 0] + image.suffix(2)
            }
            // Most cameras send frames in this form.
            if name == "422" { seeds["tableless"] = [1] + withoutHuffmanTables(image) + [0, 0, 0xFF] }
        }
        return seeds
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        guard let choice = bytes.first else { return }
        let frame = Array(bytes.dropFirst())
        let size = declaredSize(of: frame)
        let image = try completed(frame)
        try checkOtherSize(frame, size)
        guard let size, size.width * size.height <= maxPixels else {
            return try checkNoRotation(image ?? [])
        }
        let isWhole = try decoded(frame, size)
        try checkReading(frame, size, choice)
        if let image { try checkRotation(image, size, choice, isWhole: isWhole) }
    }

    /// Checks that a completed image has tables, extends from its first marker to its last, and stays unchanged when
    /// completed again.
    private static func completed(_ frame: [UInt8]) throws(Finding) -> [UInt8]? {
        guard let image = unsafe try? JPEGImage.complete(frame.span.bytes) else { return nil }
        try check(image.starts(with: [0xFF, 0xD8]) && image.suffix(2) == [0xFF, 0xD9], "not a complete image")
        let tables = (try? HuffmanTables.segments.get().count) ?? 0
        try check(image.count <= frame.count + tables, "an image that is longer than its frame")
        let again = unsafe try? JPEGImage.complete(image.span.bytes)
        try check(again == image, "a complete image was changed")
        return image
    }

    private static func checkOtherSize(_ frame: [UInt8], _ size: Size?) throws(Finding) {
        var picture = PlanarImage()
        let (width, height) = size.map { ($0.width == 48 ? 49 : 48, $0.height) } ?? (48, 48)
        let isDecoded: Void? =
            unsafe (try? JPEGDecoder.decode(frame.span.bytes, width: width, height: height, into: &picture))
        try check(isDecoded == nil, "decoded at a size that it does not have")
        try check(picture == PlanarImage(), "memory allocated for a size that it does not have")
    }

    /// Decodes a frame, and returns whether that succeeded.
    private static func decoded(_ frame: [UInt8], _ size: Size) throws(Finding) -> Bool {
        var full = PlanarImage()
        let isWhole =
            unsafe (try? JPEGDecoder.decode(frame.span.bytes, width: size.width, height: size.height, into: &full))
            != nil
        if isWhole {
            try check(full.width == size.width && full.height == size.height, "decoded to another size")
            try checkPlanes(full)
        }
        var pixels = [UInt8](repeating: 0, count: 4 * size.width * size.height)
        let isDrawn: Void? = unsafe pixels.withUnsafeMutableBufferPointer {
            unsafe try? JPEGDecoder.decodeRGBX(frame.span.bytes, width: size.width, height: size.height, into: $0)
        }
        try check((isDrawn != nil) == isWhole, "decoded to planes, or to pixels, but not to both")
        return isWhole
    }

    private static func checkPlanes(_ image: PlanarImage) throws(Finding) {
        for (index, plane) in image.planes.prefix(image.isGrey ? 1 : 3).enumerated() {
            let (x, y) = index == 0 ? (0, 0) : (image.xShift, image.yShift)
            let (columns, rows) = ((image.width + (1 << x) - 1) >> x, (image.height + (1 << y) - 1) >> y)
            try check(
                plane.bytesPerLine >= columns && plane.bytes.count >= plane.bytesPerLine * rows,
                "plane \(index) is too small")
        }
    }

    /// Checks that the mean of a frame is a colour.
    private static func checkReading(_ frame: [UInt8], _ size: Size, _ choice: UInt8) throws(Finding) {
        var reader = JPEGReader(
            width: size.width, height: size.height, average: choice & 2 == 0 ? .srgb : .linear)
        for _ in 0..<2 {
            guard
                let mean = try? unsafe reader.content(of: frame.span.bytes, WantedColors(statistics: true)).colors?
                    .region.sums.mean
            else {
                continue
            }
            try check([mean.r, mean.g, mean.b].allSatisfy { (0...255).contains($0) }, "a mean of \(mean)")
        }
    }

    /// Checks that a picture that can be decoded can be turned, without the incomplete blocks at its edges.
    private static func checkRotation(
        _ image: [UInt8], _ size: Size, _ choice: UInt8, isWhole: Bool
    ) throws(Finding) {
        let degrees = [0, 90, 180, 270][Int(choice >> 2) % 4]
        let transform = JPEGTransform(degreesClockwise: degrees, isMirrored: choice & 16 != 0)
        let result = Result { () throws(JPEGError) in
            try transform.apply(to: image, width: size.width, height: size.height)
        }
        switch result {
        case .success(let turned):
            let (width, height) = degrees % 180 == 0 ? (size.width, size.height) : (size.height, size.width)
            guard let found = declaredSize(of: turned) else {
                throw Finding(sentence: "turned into something that is not a JPEG image")
            }
            let isAsWide = found.width <= width && width - found.width < 32
            try check(isAsWide && found.height <= height && height - found.height < 32, "turned into \(found)")
        case .failure(let error):
            // Nothing would be left of a picture smaller than one block. And libjpeg can decode, but not turn, an image
            // whose quantization tables change, which no camera sends.
            let isSmall = size.width < 32 || size.height < 32
            let isOdd = if case .corrupt(let message) = error { message.contains("Cannot transcode") } else { false }
            try check(!isWhole || isSmall || isOdd, "decoded, but not turned: \(error)")
        }
    }

    /// Checks that a picture of another size than the negotiated one is refused.
    private static func checkNoRotation(_ image: [UInt8]) throws(Finding) {
        let turned = try? JPEGTransform(degreesClockwise: 90, isMirrored: false).apply(to: image, width: 64, height: 48)
        try check(turned == nil, "turned at a size that it does not have")
    }
}

extension JPEGTarget {
    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// Returns the size in a frame's header (ITU-T T.81, B.2.2), read without the code under test.
    static func declaredSize(of frame: [UInt8]) -> Size? {
        var position = 2
        while position + 9 < frame.count {
            guard frame[position] == 0xFF else {
                position += 1
                continue
            }
            let marker = frame[position + 1]
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                func number(_ offset: Int) -> Int {
                    Int(frame[position + offset]) << 8 | Int(frame[position + offset + 1])
                }
                return number(7) > 0 && number(5) > 0 ? Size(width: number(7), height: number(5)) : nil
            case 0, 0x01, 0xD0...0xD8, 0xFF: position += marker == 0xFF ? 1 : 2
            default: position += 2 + Int(frame[position + 2]) << 8 + Int(frame[position + 3])
            }
        }
        return nil
    }

    /// Returns the image without its DHT segments.
    private static func withoutHuffmanTables(_ whole: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = Array(whole.prefix(2))
        var position = 2
        while whole[position + 1] != 0xDA {
            let end = position + 2 + Int(whole[position + 2]) << 8 + Int(whole[position + 3])
            if whole[position + 1] != 0xC4 { bytes += whole[position..<end] }
            position = end
        }
        return bytes + whole[position...]
    }
}
