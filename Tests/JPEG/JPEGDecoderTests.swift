import CTurboJPEG
import TestSupport
import Testing

@testable import JPEG

@Suite("JPEG decoder")
struct JPEGDecoderTests {
    private func decode(_ bytes: [UInt8], width: Int = 64, height: Int = 48) throws -> PlanarImage {
        var image = PlanarImage()
        try JPEGDecoder.decode(unsafe bytes.span.bytes, width: width, height: height, into: &image)
        return image
    }

    /// Whether a plane has bytes, at least as many as stated, and all of them are near a value.
    private func isUniform(_ bytes: [UInt8], _ value: Int, atLeast count: Int = 1) -> Bool {
        bytes.count >= count && bytes.allSatisfy { abs(Int($0) - value) <= 1 }
    }

    @Test("a JPEG frame is decoded into its planes", arguments: JPEGSample.subsamplings, [(64, 48), (37, 21), (1, 1)])
    func planes(subsampling: Int32, size: (Int32, Int32)) throws {
        let sample = JPEGSample(
            width: size.0, height: size.1, subsampling: subsampling, y: 90, cb: 60, cr: 200)
        let image = try decode(sample.bytes, width: Int(size.0), height: Int(size.1))
        #expect(image.width == Int(size.0) && image.height == Int(size.1))
        #expect(isUniform(image.planes[0].bytes, 90, atLeast: Int(size.0 * size.1)))
        let isGrey = subsampling == Int32(TJSAMP_GRAY.rawValue)
        #expect(image.isGrey == isGrey)
        #expect(isGrey ? image.planes[1].bytes.isEmpty : isUniform(image.planes[1].bytes, 60))
        #expect(isGrey ? image.planes[2].bytes.isEmpty : isUniform(image.planes[2].bytes, 200))
    }

    @Test(
        "garbage after the end of a JPEG frame is ignored",
        arguments: [[0], [0xFF, 0xD9], [1, 2, 3, 0xFF, 0xD8, 0xFF]] as [[UInt8]])
    func rubbish(behind: [UInt8]) throws {
        let sample = JPEGSample(subsampling: JPEGSample.subsamplings[1], y: 90)
        #expect(try decode(sample.bytes + behind) == decode(sample.bytes))
    }

    @Test("a cut-off JPEG frame is recognised, wherever it is cut")
    func truncated() {
        let bytes = JPEGSample(subsampling: JPEGSample.subsamplings[1], y: 90, cb: 20, cr: 240).bytes
        #expect(throws: JPEGError.truncated) { try decode([0, 0, 0]) }
        for length in 1..<bytes.count {
            #expect(throws: JPEGError.truncated, "\(length) bytes") { try decode(Array(bytes.prefix(length))) }
        }
    }

    @Test(
        "bytes that do not begin like a JPEG frame are refused",
        arguments: [[], [0, 0, 0, 0, 0], [0xFF, 0xD9, 0xFF, 0xD8]] as [[UInt8]])
    func notJPEG(bytes: [UInt8]) {
        #expect(throws: JPEGError.notJPEG) { try decode(bytes) }
    }

    @Test(
        "a JPEG frame of another size than the negotiated one is refused",
        arguments: [(64, 47), (63, 48), (16_384, 16_384)])
    func wrongSize(size: (Int, Int)) {
        let bytes = JPEGSample(subsampling: JPEGSample.subsamplings[1], y: 90).bytes
        #expect(throws: JPEGError.self) { try decode(bytes, width: size.0, height: size.1) }
    }

    @Test("a JPEG frame with any byte changed is either decoded or refused, and a check says the same")
    func corrupt() throws {
        let whole = JPEGSample(subsampling: JPEGSample.subsamplings[2], y: 90, cb: 20, cr: 240).bytes
        var image = PlanarImage()
        var decoded = 0
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x55
            let isWhole = (try? JPEGDecoder.check(unsafe bytes.span.bytes, width: 64, height: 48)) != nil
            let isDecoded =
                (try? JPEGDecoder.decode(unsafe bytes.span.bytes, width: 64, height: 48, into: &image)) != nil
            #expect(isWhole == isDecoded, "\(index)")
            guard isDecoded else { continue }
            decoded += 1
            #expect(image.width == 64 && image.height == 48 && image.planes[0].bytes.count >= 64 * 48, "\(index)")
        }
        // A changed table leaves a frame that can be decoded; a changed marker does not.
        #expect((1..<whole.count).contains(decoded))
        try JPEGDecoder.decode(unsafe whole.span.bytes, width: 64, height: 48, into: &image)
        #expect(image == (try decode(whole)))
    }

    @Test("a JPEG frame without Huffman tables is decoded with the standard ones")
    func standardTables() throws {
        let whole = JPEGSample(subsampling: JPEGSample.subsamplings[1], y: 90).bytes
        let bytes = JPEGSample.withoutHuffmanTables(whole)
        #expect(bytes.count < whole.count)
        #expect(try decode(bytes) == decode(whole))
    }

    @Test("a progressive JPEG frame is decoded like any other")
    func progressive() throws {
        let sample = JPEGSample(
            subsampling: JPEGSample.subsamplings[2], y: 90, cb: 60, cr: 200, flags: TJFLAG_PROGRESSIVE)
        #expect(isUniform(try decode(sample.bytes).planes[1].bytes, 60))
    }

    @Test("a JPEG frame with restart markers is decoded like any other")
    func restartMarkers() throws {
        let whole = JPEGSample(width: 64, height: 8, subsampling: JPEGSample.subsamplings[0], y: 90, cb: 60, cr: 200)
            .bytes
        let image = try #require(JPEGSample.withRestartMarkers(whole))
        #expect(image.indices.dropLast().contains { image[$0] == 0xFF && image[$0 + 1] == 0xD0 })
        let decoded = try decode(image, width: 64, height: 8)
        #expect(isUniform(decoded.planes[0].bytes, 90, atLeast: 64 * 8))
        #expect(isUniform(decoded.planes[2].bytes, 200))
    }

    @Test("a CMYK JPEG frame is refused with the name of its colour space")
    func foreignColors() {
        let image = JPEGSample.foreign(TJPF_CMYK, JPEGSample.subsamplings[0])
        #expect(throws: JPEGError.unsupported("YCCK")) { try decode(image) }
    }

    @Test("a JPEG frame is decoded to pixels of the same colour", arguments: JPEGSample.subsamplings)
    func pixels(subsampling: Int32) throws {
        let image = JPEGSample(width: 37, height: 21, subsampling: subsampling, y: 90).bytes
        let pixels = try JPEGSample.decodedRGBX(image, 37, 21)
        #expect(pixels.enumerated().allSatisfy { $0.offset % 4 == 3 || abs(Int($0.element) - 90) <= 2 })
    }

    @Test(
        "stray bytes before markers of a JPEG frame, as cameras leave, do no harm, and neither does padding",
        arguments: JPEGSample.Place.allCases, [[0], [0xD9, 3], Array(1...16), Array(repeating: 0, count: 500)])
    func strayBytes(place: JPEGSample.Place, stray: [UInt8]) throws {
        let whole = try JPEGSample.stray([], before: .all)
        let frame = try JPEGSample.stray(stray, before: place)
        #expect(try decode(frame, height: 8) == decode(whole, height: 8))
        #expect(try JPEGSample.decodedRGBX(frame, 64, 8) == JPEGSample.decodedRGBX(whole, 64, 8))
        let turn = JPEGTransform(degreesClockwise: 180, isMirrored: false)
        #expect(try turn.apply(to: frame, width: 64, height: 8) == turn.apply(to: whole, width: 64, height: 8))
    }

    @Test(
        "more than 16 stray bytes before one marker are damage",
        arguments: JPEGSample.Place.allCases)
    func manyStrayBytes(place: JPEGSample.Place) throws {
        let frame = try JPEGSample.stray(Array(1...100), before: place)
        #expect(throws: JPEGError.self) { try decode(frame, height: 8) }
    }

    private static let damages: [Change<[UInt8]>] = [
        // A packet that arrived twice; and behind a stray byte, of which libjpeg-turbo warns first.
        Change { $0.insert(contentsOf: $0[1000..<2024], at: 2024) },
        Change {
            $0.insert(contentsOf: $0[1000..<2024], at: 2024)
            $0.insert(0, at: 2)
        },
        // A lost packet.
        Change { $0.removeSubrange(1000..<2024) },
        // The end of another frame.
        Change { $0.replaceSubrange(2000..., with: $0[1200...]) },
    ]

    @Test("a JPEG frame with a lost or doubled packet or the end of another frame is refused", arguments: damages)
    func damaged(change: Change<[UInt8]>) throws {
        var frame = try JPEGSample.noise()
        change.apply(&frame)
        #expect(throws: JPEGError.self) { try decode(frame) }
    }

    @Test("a JPEG frame that lacks a part of its picture is refused, though it has an end")
    func missingPart() throws {
        let whole = try JPEGSample.noise()
        // Not cut within an escaped 0xFF.
        let half = whole.prefix(whole.count * 3 / 4).reversed().drop { $0 == 0xFF }.reversed() + [0xFF, 0xD9]
        let errors = [
            #expect(throws: JPEGError.self) { try decode(half) },
            #expect(throws: JPEGError.self) { try JPEGSample.decodedRGBX(half, 64, 48) },
            #expect(throws: JPEGError.self) { try JPEGDecoder.check(unsafe half.span.bytes, width: 64, height: 48) },
        ]
        for error in errors {
            guard case .corrupt = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a JPEG frame is not decoded into memory of another size", arguments: [-1, 1])
    func otherTarget(difference: Int) {
        let bytes = JPEGSample(subsampling: JPEGSample.subsamplings[0], y: 90).bytes
        var pixels = [UInt8](repeating: 0, count: 4 * 64 * 48 + difference)
        #expect(throws: JPEGError.unsupported("a target of \(12_288 + difference) bytes")) {
            try unsafe pixels.withUnsafeMutableBufferPointer {
                try unsafe JPEGDecoder.decodeRGBX(bytes.span.bytes, width: 64, height: 48, into: $0)
            }
        }
    }
}
