import Testing

@testable import JPEG

@Suite("JPEG encoder")
struct JPEGEncoderTests {
    /// Returns a ramp in each direction, which distinguishes every pixel from distant ones.
    private func ramp(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).flatMap { index -> [UInt8] in
            let (x, y) = (index % width, index / width)
            return [UInt8(40 + x * 150 / width), UInt8(40 + y * 150 / height), 90, 7]
        }
    }

    @Test("an encoded picture decodes to the same colours", arguments: [(64, 48), (37, 21), (8, 1), (1, 9)])
    func roundTrip(width: Int, height: Int) throws {
        let pixels = ramp(width, height)
        let encoder = try JPEGEncoder()
        let image = try encoder.encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * width, width: width, height: height, quality: 95)
        let decoded = try JPEGSample.decodedRGBX(image, width, height)
        let difference = zip(pixels, decoded).enumerated().map {
            $0.offset % 4 == 3 ? 0 : abs(Int($0.element.0) - Int($0.element.1))
        }
        // Two by two pixels share chroma.
        #expect((difference.max() ?? 0) <= (width > 8 && height > 8 ? 8 : 24))
    }

    @Test(
        "pixels may have their channels in any order",
        arguments: [
            (.rgb, [200, 120, 40]), (.bgr, [40, 120, 200]), (.rgbx, [200, 120, 40, 9]), (.bgrx, [40, 120, 200, 9]),
            (.xrgb, [9, 200, 120, 40]), (.xbgr, [9, 40, 120, 200]),
        ] as [(JPEGEncoder.PixelOrder, [UInt8])])
    func order(order: JPEGEncoder.PixelOrder, pixel: [UInt8]) throws {
        // Rows are longer than their pixels; the bytes after the pixels must not be visible.
        let row = Array(repeatElement(pixel, count: 16).joined()) + [255, 0, 255]
        let pixels = Array(repeatElement(row, count: 16).joined().dropLast(3))
        let image = try JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: order, bytesPerLine: row.count, width: 16, height: 16, quality: 100)
        let decoded = try JPEGSample.decodedRGBX(image, 16, 16)
        for (offset, value) in decoded.enumerated() where offset % 4 != 3 {
            #expect(abs(Int(value) - [200, 120, 40][offset % 4]) <= 2)
        }
    }

    @Test(
        "a quality outside 1...100 is clamped to that range",
        arguments: [(-5, 1), (0, 1), (101, 100), (.max, 100)])
    func quality(quality: Int, same: Int) throws {
        let pixels = ramp(32, 32)
        func image(_ quality: Int) throws -> [UInt8] {
            try JPEGEncoder().encode(
                unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 32, width: 32, height: 32, quality: quality)
        }
        #expect(try image(quality) == image(same))
        #expect(try image(1) != image(2))
        #expect(try image(99) != image(100))
    }

    @Test("every sample of a plane stays where it belongs", arguments: [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0)])
    func ramps(shifts: (Int, Int)) throws {
        let (width, height) = (64, 48)
        // Slopes that JPEG preserves, so that each sample differs from those a few steps away.
        func plane(_ x: Int, _ y: Int, _ value: (Int, Int) -> Int) -> [UInt8] {
            (0..<(height >> y)).flatMap { row in
                (0..<(width >> x)).map { UInt8(value($0 << x, row << y)) } + [77, 77, 77]
            }
        }
        let y = plane(0, 0) { 20 + 2 * $0 + $1 }
        let cb = plane(shifts.0, shifts.1) { 60 + $0 + 2 * $1 }
        let cr = plane(shifts.0, shifts.1) { 220 - 2 * $0 - $1 }
        let chroma = (width >> shifts.0) + 3
        let image = try JPEGEncoder().encode(
            unsafe (y.span.bytes, cb.span.bytes, cr.span.bytes), bytesPerLine: [width + 3, chroma, chroma],
            width: width, height: height, chromaShifts: shifts, quality: 100)
        var decoded = PlanarImage()
        try JPEGDecoder.decode(unsafe image.span.bytes, width: width, height: height, into: &decoded)
        #expect((decoded.xShift, decoded.yShift) == shifts)
        for (index, plane) in [y, cb, cr].enumerated() {
            let (x, y) = index == 0 ? (0, 0) : shifts
            let stride = decoded.planes[index].bytesPerLine
            for row in 0..<(height >> y) {
                for column in 0..<(width >> x) {
                    let stored = Int(decoded.planes[index].bytes[row * stride + column])
                    #expect(abs(stored - Int(plane[row * ((width >> x) + 3) + column])) <= 3)
                }
            }
        }
    }

    @Test("a picture without chroma is stored as grey")
    func grey() throws {
        let luma = [UInt8](repeating: 130, count: 16 * 8)
        let image = try JPEGEncoder().encode(
            unsafe (luma.span.bytes, RawSpan(), RawSpan()), bytesPerLine: [16, 0, 0], width: 16, height: 8,
            chromaShifts: nil, quality: 95)
        var decoded = PlanarImage()
        try JPEGDecoder.decode(unsafe image.span.bytes, width: 16, height: 8, into: &decoded)
        #expect(decoded.isGrey)
        #expect(decoded.planes[0].bytes.count >= 16 * 8)
        #expect(decoded.planes[0].bytes.allSatisfy { abs(Int($0) - 130) <= 1 })
    }

    @Test("planes with unknown chroma subsampling, a missing byte or a missing stride are refused")
    func unknownPlanes() throws {
        let encoder = try JPEGEncoder()
        let bytes = [UInt8](repeating: 9, count: 256)
        func encode(_ shifts: (Int, Int), count: Int, strides: [Int]) throws -> Int {
            let last = Array(bytes.prefix(count))
            return try encoder.encode(
                unsafe (bytes.span.bytes, bytes.span.bytes, last.span.bytes), bytesPerLine: strides, width: 16,
                height: 16, chromaShifts: shifts, quality: 80
            ).count
        }
        #expect(throws: JPEGError.self) { try encode((2, 2), count: 256, strides: [16, 4, 4]) }
        #expect(throws: JPEGError.self) { try encode((1, 1), count: 63, strides: [16, 8, 8]) }
        #expect(throws: JPEGError.self) { try encode((1, 1), count: 64, strides: [16, 8]) }
        #expect(throws: JPEGError.self) { try encode((1, 1), count: 64, strides: [16, 8, 7]) }
        #expect(throws: Never.self) { try encode((1, 1), count: 64, strides: [16, 8, 8]) }
        // The last row may lack the bytes after its last sample.
        #expect(throws: Never.self) { try encode((1, 1), count: 78, strides: [16, 8, 10]) }
    }

    @Test(
        "the planes of a picture are stored without conversion", arguments: [(0, 0), (1, 0), (1, 1), (0, 1)],
        [(64, 48), (37, 21), (1, 1)])
    func planes(shifts: (Int, Int), size: (Int, Int)) throws {
        let (width, height) = size
        func plane(_ value: UInt8, _ x: Int, _ y: Int) -> (bytes: [UInt8], stride: Int) {
            // Luma has all samples that its chroma cells need.
            let columns = ((width + (1 << shifts.0) - 1) >> shifts.0) << (shifts.0 - x)
            let rows = ((height + (1 << shifts.1) - 1) >> shifts.1) << (shifts.1 - y)
            return ([UInt8](repeating: value, count: (columns + 3) * rows), columns + 3)
        }
        let (y, cb, cr) = (plane(120, 0, 0), plane(90, shifts.0, shifts.1), plane(170, shifts.0, shifts.1))
        let encoder = try JPEGEncoder()
        let image = try encoder.encode(
            unsafe (y.bytes.span.bytes, cb.bytes.span.bytes, cr.bytes.span.bytes),
            bytesPerLine: [y.stride, cb.stride, cr.stride], width: width, height: height, chromaShifts: shifts,
            quality: 95)
        var decoded = PlanarImage()
        try JPEGDecoder.decode(unsafe image.span.bytes, width: width, height: height, into: &decoded)
        #expect((decoded.xShift, decoded.yShift) == shifts)
        for (plane, value) in zip(decoded.planes, [120, 90, 170]) {
            #expect(plane.bytes.allSatisfy { abs(Int($0) - value) <= 1 })
        }
    }

    /// Encodes as many bytes as a picture of RGBX pixels.
    private func encode(_ count: Int, _ width: Int, _ height: Int) throws -> [UInt8] {
        let pixels = [UInt8](repeating: 9, count: count)
        return try JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * width, width: width, height: height, quality: 80)
    }

    @Test("a picture that lacks a byte is not encoded, and the error says that the bytes do not fit its size")
    func missingBytes() throws {
        #expect(throws: JPEGError.unsupported("bytes or rows that do not fit a picture of 16 x 16 pixels")) {
            try encode(4 * 16 * 16 - 1, 16, 16)
        }
        let luma = [UInt8](repeating: 9, count: 16 * 16 - 1)
        #expect(throws: JPEGError.self) {
            try JPEGEncoder().encode(
                unsafe (luma.span.bytes, RawSpan(), RawSpan()), bytesPerLine: [16], width: 16, height: 16,
                chromaShifts: nil, quality: 80)
        }
    }

    @Test(
        "a picture without a size, or of a size that JPEG does not have, is not encoded, and the error names the size",
        arguments: [(0, 8), (8, 0), (-8, 8), (70_000, 1)])
    func impossibleSize(width: Int, height: Int) {
        #expect(throws: JPEGError.self) { try encode(4 * 70_000, width, height) }
        #expect(throws: JPEGError.unsupported("a picture of 65501 x 1 pixels")) { try encode(4, 65501, 1) }
    }

    @Test(
        "a picture with extreme numbers for its size or stride is not encoded",
        arguments: [Int.max, .min, Int.max / 2, 1 << 33])
    func beyond(number: Int) throws {
        let encoder = try JPEGEncoder()
        let bytes = [UInt8](repeating: 9, count: 64)
        for (width, height, bytesPerLine) in [(number, 1, 4), (1, number, 4), (1, 2, number), (number, number, number)]
        {
            #expect(throws: JPEGError.self) {
                try encoder.encode(
                    unsafe bytes.span.bytes, order: .rgbx, bytesPerLine: bytesPerLine, width: width, height: height,
                    quality: 80)
            }
            #expect(throws: JPEGError.self) {
                try encoder.encode(
                    unsafe (bytes.span.bytes, bytes.span.bytes, bytes.span.bytes),
                    bytesPerLine: [bytesPerLine, bytesPerLine, bytesPerLine], width: width, height: height,
                    chromaShifts: (0, 0), quality: 80)
            }
        }
    }

    @Test("a side of a picture may be 65,500 pixels long, and no longer", arguments: [(65500, true), (65501, false)])
    func longest(side: Int, isPossible: Bool) throws {
        let encoder = try JPEGEncoder()
        let pixels = [UInt8](repeating: 9, count: 3 * side)
        for (width, height) in [(side, 1), (1, side)] {
            let image = try? encoder.encode(
                unsafe pixels.span.bytes, order: .rgb, bytesPerLine: 3 * width, width: width, height: height,
                quality: 80)
            #expect((image != nil) == isPossible)
        }
    }

    @Test(
        "the rows of a picture may be 2,147,483,647 bytes apart, and no further",
        arguments: [(2_147_483_647, true), (2_147_483_648, false)])
    func farthest(bytesPerLine: Int, isPossible: Bool) throws {
        let pixels = [UInt8](repeating: 9, count: 3 * 8)
        let image = try? JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: .rgb, bytesPerLine: bytesPerLine, width: 8, height: 1, quality: 80)
        #expect((image != nil) == isPossible)
    }
}
