import Color
import Testing

@testable import Pixels

@Suite("Effects")
struct EffectTests {
    @Test("every effect is found by its name, in a fixed order, and none by another name")
    func names() {
        #expect(Effects.all.map(\.name) == Reference.all.map(\.name))
        for name in Reference.all.map(\.name) { #expect(Effects.named(name)?.name == name) }
        for name in ["", "Invert", "sepia", "red to blue"] { #expect(Effects.named(name) == nil) }
    }

    @Test("the unused bytes of a bitmap do not influence an effect", arguments: Effects.all.map(\.name), Noise.Kind.all)
    func unusedByte(name: String, kind: Noise.Kind) throws {
        let effect = try #require(Effects.named(name))
        var one = try #require(Noise(kind, width: 17, height: 5).bitmap(unused: 0))
        var other = try #require(Noise(kind, width: 17, height: 5).bitmap(unused: 255))
        effect.apply(to: &one)
        effect.apply(to: &other)
        #expect(one == other)
    }

    @Test("an effect changes each pixel as its definition says", arguments: Reference.all, Noise.pictures)
    func definition(reference: Reference, noise: Noise) throws {
        let effect = try #require(Effects.named(reference.name))
        var bitmap = try #require(noise.bitmap(unused: 77))
        effect.apply(to: &bitmap)
        let wrong = noise.positions.first { bitmap.color($0.x, $0.y) != reference.color(noise, $0.x, $0.y) }
        #expect(wrong == nil)
    }

    @Test(
        "red-to-blue makes red pure blue, and rotates the channels of other colours",
        arguments: [
            // These are not red: they lie at the ends of the two ranges.
            (RGB8(r: 10, g: 20, b: 30), RGB8(r: 30, g: 10, b: 20)),
            (RGB8(r: 128, g: 0, b: 7), RGB8(r: 7, g: 128, b: 0)),
            (RGB8(r: 255, g: 128, b: 7), RGB8(r: 7, g: 255, b: 128)),
            (RGB8(r: 129, g: 127, b: 7), RGB8(r: 0, g: 0, b: 255)),
        ])
    func rotation(before: RGB8, after: RGB8) throws {
        let effect = try #require(Effects.named("red-to-blue"))
        var bitmap = try #require(Bitmap(width: 1, height: 1, bytes: [before.r, before.g, before.b, 77]))
        effect.apply(to: &bitmap)
        #expect(bitmap.color(0, 0) == after)
    }

    @Test("luma is that of BT.709 to half a code value", arguments: Array(stride(from: 0, through: 255, by: 51)))
    func luma(red: UInt32) {
        let errors = (0...255 as ClosedRange<UInt32>).flatMap { green in
            (0...255 as ClosedRange<UInt32>).map { blue in
                let exact = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
                return abs(Double(RGBX(r: red, g: green, b: blue).luma) - exact)
            }
        }
        #expect(errors.allSatisfy { $0 <= 0.51 })
    }

    @Test("luma halfway between two code values is rounded up", arguments: [(74, 188, 67), (163, 82, 123)])
    func lumaTies(green: UInt32, blue: UInt32, luma: UInt32) {
        #expect(RGBX(r: 0, g: green, b: blue).luma == luma)
    }

    @Test("the luma of a grey pixel is its value")
    func greyLuma() { for grey in 0...255 as ClosedRange<UInt32> { #expect(RGBX(grey: grey).luma == grey) } }
}

/// The definition of an effect for one pixel, as simple as possible.
struct Reference: Sendable, CustomTestStringConvertible {
    let name: String
    let color: @Sendable (_ picture: Noise, _ x: Int, _ y: Int) -> RGB8
    var testDescription: String { name }

    static let all = [
        Reference(name: "none") { picture, x, y in picture[x, y] },
        Reference(name: "red-to-blue") { picture, x, y in
            let old = picture[x, y]
            if old.r > 128 && old.g < 128 { return RGB8(r: 0, g: 0, b: 255) }
            return RGB8(r: old.b, g: old.r, b: old.g)
        },
        Reference(name: "grayscale") { picture, x, y in grey(luma(picture[x, y])) },
        Reference(name: "invert") { picture, x, y in
            let old = picture[x, y]
            return RGB8(r: 255 - old.r, g: 255 - old.g, b: 255 - old.b)
        },
        Reference(name: "posterize") { picture, x, y in
            func level(_ channel: UInt8) -> UInt8 {
                switch channel {
                case 0..<64: 0
                case 64..<128: 85
                case 128..<192: 170
                default: 255
                }
            }
            let old = picture[x, y]
            return RGB8(r: level(old.r), g: level(old.g), b: level(old.b))
        },
        Reference(name: "threshold") { picture, x, y in luma(picture[x, y]) >= 128 ? .white : .black },
        Reference(name: "edges") { picture, x, y in
            let sobel = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
            var (alongRow, alongColumn) = (0, 0)
            for (i, j) in (0..<9).map({ ($0 % 3, $0 / 3) }) {
                let near = luma(picture.nearest(x + i - 1, y + j - 1))
                alongRow += sobel[j][i] * near
                alongColumn += sobel[i][j] * near
            }
            return grey(min(abs(alongRow) + abs(alongColumn), 255))
        },
        // LightnessRampTests check the colours of the ramp.
        Reference(name: "false-color") { picture, x, y in LightnessRamp.colors[luma(picture[x, y])] },
        Reference(name: "zebra") { picture, x, y in
            let old = picture[x, y]
            let isColored = (x + y) % 16 < 8
            if [old.r, old.g, old.b].contains(where: { $0 >= 250 }) {
                return isColored ? RGB8(r: 255, g: 0, b: 0) : .white
            }
            if [old.r, old.g, old.b].allSatisfy({ $0 <= 5 }) {
                return isColored ? RGB8(r: 0, g: 0, b: 255) : .black
            }
            return old
        },
        // Without a table of targets, nothing lies within one.
        Reference(name: "targets") { picture, x, y in grey(luma(picture[x, y]) / 4) },
    ]

    private static func luma(_ color: RGB8) -> Int {
        // ITU-R BT.709-6, item 3.2, with 14 bits.
        let (r, g, b) = ((0.2126 * 16384).rounded(), (0.7152 * 16384).rounded(), (0.0722 * 16384).rounded())
        let sum = r * Double(color.r) + g * Double(color.g) + b * Double(color.b)
        return Int((sum / 16384).rounded(.toNearestOrAwayFromZero))
    }

    private static func grey(_ value: Int) -> RGB8 {
        RGB8(r: UInt8(value), g: UInt8(value), b: UInt8(value))
    }
}

/// A picture of noise that is the same in every run.
struct Noise: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable {
        /// All code values.
        case wide
        /// Few code values, as in an even area of a picture, so that edges are faint.
        case faint
        /// Code values near black, near white and near the middle.
        case extreme

        static let all: [Kind] = [.wide, .faint, .extreme]
    }

    /// Pictures of odd sizes: a single pixel, a column, a row, and remainders of every vector's width.
    static let pictures = [(1, 1), (1, 7), (7, 1), (2, 2), (17, 5), (64, 48)].flatMap { width, height in
        Kind.all.map { Noise($0, width: width, height: height) }
    }

    let width: Int
    let height: Int
    private let kind: Kind
    private let colors: [RGB8]

    init(_ kind: Kind, width: Int, height: Int) {
        (self.kind, self.width, self.height) = (kind, width, height)
        var state: UInt32 = 0x1234_5678
        func random(_ count: UInt32) -> UInt32 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return (state >> 16) % count
        }
        colors = (0..<width * height).map { _ in
            let base = [0, 122, 244][Int(random(3))] as UInt32
            func channel() -> UInt8 {
                switch kind {
                case .wide: UInt8(random(256))
                case .faint: UInt8(100 + random(20))
                case .extreme: UInt8(base + random(12))
                }
            }
            return RGB8(r: channel(), g: channel(), b: channel())
        }
    }

    var testDescription: String { "\(kind.rawValue) \(width)x\(height)" }

    var positions: [(x: Int, y: Int)] { colors.indices.map { ($0 % width, $0 / width) } }

    subscript(x: Int, y: Int) -> RGB8 { colors[y * width + x] }

    /// Returns the pixel, or the nearest one inside the picture.
    func nearest(_ x: Int, _ y: Int) -> RGB8 {
        self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]
    }

    func bitmap(unused: UInt8) -> Bitmap? {
        Bitmap(width: width, height: height, bytes: colors.flatMap { [$0.r, $0.g, $0.b, unused] })
    }
}

extension Bitmap {
    func color(_ x: Int, _ y: Int) -> RGB8 {
        let index = (y * width + x) * 4
        return RGB8(r: bytes[index], g: bytes[index + 1], b: bytes[index + 2])
    }
}
