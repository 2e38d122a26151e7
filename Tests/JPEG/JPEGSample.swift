import CTurboJPEG
import JPEG
import Testing

/// A JPEG image that libjpeg-turbo makes from planes with one value each.
struct JPEGSample {
    static let subsamplings = [
        TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY,
    ].map { Int32($0.rawValue) }

    var bytes: [UInt8]

    /// Encodes an image.
    /// - Parameter flags: Flags of libjpeg-turbo, such as `TJFLAG_PROGRESSIVE`.
    init(
        width: Int32 = 64, height: Int32 = 48, subsampling: Int32, y: UInt8, cb: UInt8 = 128, cr: UInt8 = 128,
        flags: Int32 = 0
    ) {
        let components = subsampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3
        var planes = (0..<components).map { index in
            let component = Int32(index)
            let size = tjPlaneWidth(component, width, subsampling) * tjPlaneHeight(component, height, subsampling)
            return [UInt8](repeating: [y, cb, cr][index], count: Int(size))
        }
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let handle = unsafe tjInitCompress()
        var empty: [UInt8] = []
        let first = planes.removeFirst()
        let second = planes.isEmpty ? empty : planes.removeFirst()
        let third = planes.isEmpty ? empty : planes.removeFirst()
        empty = []
        unsafe first.withUnsafeBufferPointer { first in
            unsafe second.withUnsafeBufferPointer { second in
                unsafe third.withUnsafeBufferPointer { third in
                    var pointers = unsafe [first.baseAddress, second.baseAddress, third.baseAddress]
                    _ = unsafe tjCompressFromYUVPlanes(
                        handle, &pointers, width, nil, height, subsampling, &output, &size, 90, flags)
                }
            }
        }
        bytes = unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
        unsafe tjFree(output)
        _ = unsafe tjDestroy(handle)
    }

    /// Returns random bytes, the same each time.
    static func noise(count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    /// Returns the image without Huffman tables, as many cameras send it.
    static func withoutHuffmanTables(_ whole: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = Array(whole.prefix(2))
        var position = 2
        // Each segment before the scan has a marker and a length, which includes itself.
        while whole[position + 1] != 0xDA {
            let end = position + 2 + Int(whole[position + 2]) << 8 + Int(whole[position + 3])
            if whole[position + 1] != 0xC4 { bytes += whole[position..<end] }
            position = end
        }
        return bytes + whole[position...]
    }

    /// An image of 64 x 8 pixels with restart markers, and with stray bytes before each marker of one kind, or of all kinds.
    static func stray(_ bytes: [UInt8], before place: Place) throws -> [UInt8] {
        let whole = JPEGSample(width: 64, height: 8, subsampling: subsamplings[0], y: 90, cb: 60, cr: 200).bytes
        let image = try #require(withRestartMarkers(whole))
        let scan = try #require((0..<image.count - 1).first { image[$0] == 0xFF && image[$0 + 1] == 0xDA })
        var markers: [Int] = []
        if place != .restart && place != .end {
            var position = 2
            while position <= scan {
                markers.append(position)
                position += 2 + Int(image[position + 2]) << 8 + Int(image[position + 3])
            }
        }
        if place == .restart || place == .all {
            markers += (scan..<image.count - 1).filter { image[$0] == 0xFF && 0xD0...0xD7 ~= image[$0 + 1] }
        }
        if place == .end || place == .all { markers.append(image.count - 2) }
        return markers.reversed().reduce(into: image) { $0.insert(contentsOf: bytes, at: $1) }
    }

    /// Markers before which cameras leave stray bytes.
    enum Place: CaseIterable {
        case segment, restart, end, all
    }

    /// An image of 64 x 48 pixels of noise, with some thousands of bytes of entropy-coded data.
    static func noise() throws -> [UInt8] {
        let pixels = noise(count: 4 * 64 * 48)
        return try JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 64, width: 64, height: 48, quality: 90)
    }

    static func decodedRGBX(_ image: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        try unsafe pixels.withUnsafeMutableBufferPointer {
            try unsafe JPEGDecoder.decodeRGBX(image.span.bytes, width: width, height: height, into: $0)
        }
        return pixels
    }

    /// Returns an image of one colour in a colour space that cameras do not send.
    static func foreign(_ space: TJPF, _ subsampling: Int32) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let pixels = [UInt8](repeating: 90, count: 4 * 64 * 48)
        let handle = unsafe tjInitCompress()
        _ = unsafe tjCompress2(
            handle, pixels, 64, 0, 48, Int32(space.rawValue), &output, &size, subsampling, 90, 0)
        defer {
            unsafe tjFree(output)
            _ = unsafe tjDestroy(handle)
        }
        return unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    /// Inserts a restart interval of one block group into an image whose blocks all have the same entropy-coded bits
    /// except the first. Each block can then be coded like the first, because a restart resets the prediction to zero
    /// (ITU-T T.81, F.1.1.5.1).
    static func withRestartMarkers(_ whole: [UInt8]) -> [UInt8]? {
        guard let scan = (0..<whole.count - 1).first(where: { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA }) else {
            return nil
        }
        let header = scan + 2 + Int(whole[scan + 2]) << 8 + Int(whole[scan + 3])
        // An image of 8 x 8 pixels with the same tables and colours consists of a single block group.
        let single = JPEGSample(width: 8, height: 8, subsampling: subsamplings[0], y: 90, cb: 60, cr: 200).bytes
        let data = Array(single[header..<(single.count - 2)])
        var image = Array(whole[..<scan]) + [0xFF, 0xDD, 0, 4, 0, 1] + whole[scan..<header]
        for index in 0..<8 {
            image += data
            if index < 7 { image += [0xFF, 0xD0 + UInt8(index)] }
        }
        return image + [0xFF, 0xD9]
    }
}
