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

    @Test("a picture that lacks a byte is not encoded")
    func missingBytes() throws {
        let encoder = try JPEGEncoder()
        let pixels = [UInt8](repeating: 9, count: 4 * 16 * 16 - 1)
        let luma = [UInt8](repeating: 9, count: 16 * 16 - 1)
        #expect(throws: JPEGError.self) {
            try encoder.encode(
                unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 16, width: 16, height: 16, quality: 80)
        }
        #expect(throws: JPEGError.self) {
            try encoder.encode(
                unsafe (luma.span.bytes, RawSpan(), RawSpan()), bytesPerLine: [16], width: 16, height: 16,
                chromaShifts: nil, quality: 80)
        }
    }

    @Test(
        "a picture without a size, or of a size that JPEG does not have, is not encoded",
        arguments: [(0, 8), (8, 0), (-8, 8), (70_000, 1)])
    func impossibleSize(width: Int, height: Int) throws {
        let encoder = try JPEGEncoder()
        let pixels = [UInt8](repeating: 9, count: 4 * 70_000)
        #expect(throws: JPEGError.self) {
            try encoder.encode(
                unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * width, width: width, height: height,
                quality: 80)
        }
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
}
