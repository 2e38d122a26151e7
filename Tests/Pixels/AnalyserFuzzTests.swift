import Color
import Glibc
import TestSupport
import Testing

@testable import Pixels

/// Tests with random pictures in every format, of odd sizes, strides, regions and encodings. Each is read from memory
/// that ends where the picture does, so that reading one byte further would end the process.
@Suite("Analyser on random pictures")
struct AnalyserFuzzTests {
    @Test(
        "the mean of a random picture is that of the format's definition, and nothing beyond the picture is read",
        arguments: PixelFormat.all.map(\.fourCC))
    func mean(fourCC: String) throws {
        let format = try #require(PixelFormat.named(fourCC))
        // The seed is constant, and different for each format.
        var random = SeededGenerator(seed: fourCC.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<10 {
            let picture = RandomPicture(format, using: &random)
            let analyser = try #require(Analyser(layout: picture.layout, region: picture.region))
            let expected = picture.reference(analyser.rect)
            let memory = try picture.buffers.map { try GuardedMemory($0) }
            let sums = memory.lent { analyser.sums(of: $0, $1, $2) }
            let mean = try #require(sums).mean
            #expect(
                mean.distance(to: expected) < 0.003,
                "\(picture.layout.width) x \(picture.layout.height), \(picture.layout.bytesPerLine), \(picture.region)")
        }
    }

    @Test(
        "the mean of a random picture is right if a whole run needs no clamping",
        arguments: PixelFormat.all.map(\.fourCC))
    func calm(fourCC: String) throws {
        let format = try #require(PixelFormat.named(fourCC))
        var random = SeededGenerator(seed: 11)
        let picture = RandomPicture(format, width: 1100, height: 4, codes: RandomPicture.calm, using: &random)
        let analyser = try #require(Analyser(layout: picture.layout, region: .full))
        let memory = try picture.buffers.map { try GuardedMemory($0) }
        let sums = try #require(memory.lent { analyser.sums(of: $0, $1, $2) })
        #expect(sums.mean.distance(to: picture.reference(analyser.rect)) < 0.003)
    }

    @Test(
        "the sums of a picture's parts add up exactly to the sums of the whole",
        arguments: PixelFormat.all.map(\.fourCC), [Average.srgb, .linear])
    func parts(fourCC: String, average: Average) throws {
        let format = try #require(PixelFormat.named(fourCC))
        var random = SeededGenerator(seed: 7)
        let picture = RandomPicture(format, width: 1100, height: 4, using: &random)
        let memory = try picture.buffers.map { try GuardedMemory($0) }
        func sums(_ x: Range<Int>, _ y: Range<Int>) throws -> PictureSums {
            let region = Region(
                x: Double(x.lowerBound) / 1100, y: Double(y.lowerBound) / 4, width: Double(x.count) / 1100,
                height: Double(y.count) / 4)
            let analyser = try #require(Analyser(layout: picture.layout, region: region, average: average))
            return try #require(memory.lent { analyser.sums(of: $0, $1, $2) })
        }
        let whole = try sums(0..<1100, 0..<4)
        let (x, y) = (Int.random(in: 1..<1100, using: &random), Int.random(in: 1..<4, using: &random))
        var joined = try sums(0..<x, 0..<y)
        for (columns, rows) in [(x..<1100, 0..<y), (0..<x, y..<4), (x..<1100, y..<4)] {
            joined += try sums(columns, rows)
        }
        #expect(joined.mean == whole.mean)
    }
}

/// A picture whose buffers end with the last byte that its layout needs.
struct RandomPicture {
    /// Code values whose combinations never lie outside of R'G'B'.
    static let calm: ClosedRange<UInt8> = 118...138

    let layout: PictureLayout
    let region: Region
    let buffers: [[UInt8]]
    /// The places of samples as the program has them. AnalyserTests find some formats' samples without them, and
    /// TruthTests have recorded frames of the formats that the kernel's test driver offers, decoded by another program.
    private let components: [PixelFormat.Component]
    private let planes: [(start: Int, stride: Int)]

    init(_ format: PixelFormat, using random: inout SeededGenerator) {
        // Mosaics do not have incomplete cells.
        let cell = format.isMosaic ? 2 : 1
        let isWide = Bool.random(using: &random)
        let width = Int.random(in: 1...(isWide ? 1400 : 40), using: &random) * cell
        // The reference is slow, so there are few rows.
        let height = Int.random(in: 1...(isWide ? 3 : 9), using: &random) * cell
        self.init(format, width: width, height: height, using: &random)
    }

    /// Creates a random picture.
    /// - Parameters:
    ///   - codes: The values of every byte; if nil, all code values or only those that need no clamping.
    ///   - encoding: The encoding; if nil, a random one.
    init(
        _ format: PixelFormat, width: Int, height: Int, codes: ClosedRange<UInt8>? = nil,
        encoding: ColorEncoding? = nil, using random: inout SeededGenerator
    ) {
        let matrices: [ColorEncoding.LumaCoefficients] = [.bt601, .bt709, .bt2020, .smpte240M]
        let anyEncoding = ColorEncoding(
            matrix: matrices.randomElement(using: &random) ?? .bt601,
            range: Bool.random(using: &random) ? .full : .limited,
            hueScale: Bool.random(using: &random) ? .steps180 : .steps256)
        // Rows are as short as possible, and sometimes longer.
        let padding = Bool.random(using: &random) ? 0 : Int.random(in: 1...40, using: &random)
        var layout = PictureLayout(
            format: format, encoding: encoding ?? anyEncoding, width: width, height: height,
            bytesPerLine: [Int](repeating: width, count: format.bufferCount))
        while layout.extents() == nil { layout.bytesPerLine = layout.bytesPerLine.map { $0 + 1 } }
        layout.bytesPerLine = layout.bytesPerLine.map { $0 + padding }
        self.layout = layout
        let (x, y) = (Double.random(in: 0..<0.9, using: &random), Double.random(in: 0..<0.9, using: &random))
        region =
            Bool.random(using: &random)
            ? .full
            : Region(
                x: x, y: y, width: Double.random(in: 0.01...1 - x, using: &random),
                height: Double.random(in: 0.01...1 - y, using: &random))
        let rect = PixelRect(x: 0, y: 0, width: width, height: height)
        let needed = layout.extents().flatMap { layout.bytesNeeded(for: rect, $0) } ?? []
        // Calm pictures are read without clamping.
        let codes = codes ?? (Bool.random(using: &random) ? 0...255 : Self.calm)
        buffers = needed.map { count in
            // Large pictures are uniform, and a draw for each of their bytes takes long.
            codes.count == 1
                ? [UInt8](repeating: codes.lowerBound, count: count) : random.bytes(count, in: codes)
        }
        components = layout.format.components
        planes = layout.format.planes.indices.map { (layout.start(ofPlane: $0), layout.stride(ofPlane: $0)) }
    }

    /// Returns the mean by definition, computed sample by sample in double precision.
    func reference(_ rect: PixelRect) -> RGB {
        var sum = (r: 0.0, g: 0.0, b: 0.0)
        for y in rect.y..<rect.y + rect.height {
            for x in rect.x..<rect.x + rect.width {
                let pixel = pixel(x, y)
                sum.r += min(max(pixel.r, 0), 255)
                sum.g += min(max(pixel.g, 0), 255)
                sum.b += min(max(pixel.b, 0), 255)
            }
        }
        let count = Double(rect.width * rect.height)
        return RGB(r: sum.r / count, g: sum.g / count, b: sum.b / count)
    }

    private func pixel(_ x: Int, _ y: Int) -> (r: Double, g: Double, b: Double) {
        var channels = [0.0, 0.0, 0.0]
        for component in components { channels[component.channel] += component.weight * sample(component, x, y) }
        let isFull = layout.encoding.range == .full
        switch layout.format.model {
        case .grey:
            let level = isFull ? channels[0] : (channels[0] - 16) * 255 / 219
            return (level, level, level)
        case .rgb:
            let decoded = channels.map { isFull ? $0 : ($0 - 16) * 255 / 219 }
            return (decoded[0], decoded[1], decoded[2])
        case .yCbCr:
            let (kr, kb) = layout.encoding.matrix.published
            let luma = isFull ? channels[0] / 255 : (channels[0] - 16) / 219
            let (pb, pr) = (channels[1], channels[2])
            let (r, b) = (luma + 2 * (1 - kr) * pr, luma + 2 * (1 - kb) * pb)
            return (255 * r, 255 * (luma - kr * r - kb * b) / (1 - kr - kb), 255 * b)
        case .hsv:
            return hsv(hue: channels[0] * 360 / layout.encoding.hueScale.rawValue, channels[1] / 255, channels[2])
        }
    }

    /// Converts HSV by the textbook (A. R. Smith, 1978), by distance on the circle.
    private func hsv(hue: Double, _ s: Double, _ v: Double) -> (r: Double, g: Double, b: Double) {
        func channel(_ n: Double) -> Double {
            let k = (n + hue / 60).truncatingRemainder(dividingBy: 6)
            return v - v * s * max(0, min(k, 4 - k, 1))
        }
        return (channel(5), channel(3), channel(1))
    }

    /// Returns a sample on the 8-bit scale; of chroma, -0.5...0.5 (ITU-T H.273, 8.3).
    private func sample(_ component: PixelFormat.Component, _ x: Int, _ y: Int) -> Double {
        let plane = layout.format.planes[component.plane]
        let bytes = buffers[plane.buffer]
        let (start, stride) = planes[component.plane]
        let line = y >> component.yShift
        let row =
            start
            + (line / component.rowGroup * component.rowStep + line % component.rowGroup + component.rowOffset) * stride
        func place(_ cell: Int) -> Int { component.offset + cell * component.step }
        var index = place(x >> component.xShift)
        // If the row lacks an incomplete cell's sample at the edge, its neighbour's is used.
        if layout.format.word.end(ofSampleAt: index) > stride { index = place((x >> component.xShift) - 1) }
        func bits(_ from: Int, _ count: Int, _ group: Int, _ size: Int) -> Int {
            Int(bytes[row + index / group * size + group + from / 8]) >> (from % 8) & ((1 << count) - 1)
        }
        let word: Int
        switch layout.format.word {
        case .byte: word = Int(bytes[row + index])
        case .littleEndian16: word = Int(bytes[row + index]) | Int(bytes[row + index + 1]) << 8
        case .bigEndian16: word = Int(bytes[row + index]) << 8 | Int(bytes[row + index + 1])
        case .packed10: word = Int(bytes[row + index / 4 * 5 + index % 4]) << 2 | bits(index % 4 * 2, 2, 4, 5)
        case .packed12: word = Int(bytes[row + index / 2 * 3 + index % 2]) << 4 | bits(index % 2 * 4, 4, 2, 3)
        case .packed14:
            // The six bits are read one by one, because they may lie in two bytes.
            let low = (0..<6).reduce(0) { $0 | bits(index % 4 * 6 + $1, 1, 4, 7) << $1 }
            word = Int(bytes[row + index / 4 * 7 + index % 4]) << 6 | low
        }
        let code = Double(word >> component.shift & ((1 << component.bits) - 1))
        let levels = Double(1 << component.bits)
        let isFull = layout.encoding.range == .full || layout.format.model == .hsv
        if layout.format.model == .yCbCr, component.channel > 0 {
            return (code - levels / 2) / (isFull ? levels - 1 : 224 * levels / 256)
        }
        return isFull ? code * 255 / (levels - 1) : code * 256 / levels
    }
}

extension PixelFormat {
    var isMosaic: Bool { components.count == 4 }
}

/// Bytes at the end of mapped memory, so that reading beyond them ends the process.
@safe final class GuardedMemory {
    private let pages: UnsafeMutableRawPointer
    private let length: Int
    fileprivate let bytes: UnsafeRawBufferPointer

    init(_ content: [UInt8]) throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        length = (content.count + page - 1) / page * page + page
        let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        unsafe pages = try #require(unsafe mapped == MAP_FAILED ? nil : mapped)
        let start = unsafe pages + (length - page - content.count)
        unsafe start.copyMemory(from: content, byteCount: content.count)
        unsafe bytes = UnsafeRawBufferPointer(start: start, count: content.count)
        unsafe mprotect(pages + (length - page), page, PROT_NONE)
    }

    deinit { unsafe munmap(pages, length) }
}

extension [GuardedMemory] {
    /// Lends one to three buffers.
    func lent<Result>(_ body: (RawSpan, RawSpan, RawSpan) -> Result) -> Result {
        switch count {
        case 1: return unsafe body(self[0].bytes.bytes, RawSpan(), RawSpan())
        case 2: return unsafe body(self[0].bytes.bytes, self[1].bytes.bytes, RawSpan())
        default: return unsafe body(self[0].bytes.bytes, self[1].bytes.bytes, self[2].bytes.bytes)
        }
    }
}
