import TestSupport
import Testing

@testable import Pixels

@Suite("Orientation")
struct OrientationTests {
    /// The eight orientations of a picture of three by two pixels, `a b c` above `d e f`.
    static let turned: [(Orientation.Rotation, isMirrored: Bool, rows: [String])] = [
        (.degrees0, false, ["abc", "def"]), (.degrees0, true, ["cba", "fed"]),
        (.degrees90, false, ["da", "eb", "fc"]), (.degrees90, true, ["ad", "be", "cf"]),
        (.degrees180, false, ["fed", "cba"]), (.degrees180, true, ["def", "abc"]),
        (.degrees270, false, ["cf", "be", "ad"]), (.degrees270, true, ["fc", "eb", "da"]),
    ]

    @Test("a picture is rotated clockwise and then mirrored", arguments: turned)
    func letters(rotation: Orientation.Rotation, isMirrored: Bool, rows: [String]) throws {
        let bitmap = try #require(Bitmap(letters: ["abc", "def"]))
        let expected = try #require(Bitmap(letters: rows))
        let orientation = Orientation(rotation: rotation, isMirrored: isMirrored)
        let oriented = orientation.applied(to: bitmap)
        #expect(oriented == expected)
        #expect((oriented.width, oriented.height) == (expected.width, expected.height))
    }

    @Test(
        "every pixel moves to the place that the table defines", arguments: Orientation.all,
        [(1, 1), (70, 33), (33, 70), (1, 40), (64, 1), (32, 32)])
    func places(orientation: Orientation, size: (Int, Int)) throws {
        var random = SeededGenerator(seed: 2)
        let (width, height) = size
        let bitmap = try #require(Bitmap(width: width, height: height, random: &random))
        let oriented = orientation.applied(to: bitmap)
        let (from, to) = (bitmap.colors, oriented.colors)
        for (y, x) in (0..<height).flatMap({ y in (0..<width).map { (y, $0) } }) {
            let place = orientation.place(x, y, width, height)
            #expect(to[place.y * oriented.width + place.x] == from[y * width + x])
        }
    }

    @Test("an oriented picture keeps its memory from frame to frame", arguments: Orientation.all)
    func memory(orientation: Orientation) throws {
        var random = SeededGenerator(seed: 2)
        let bitmap = try #require(Bitmap(width: 40, height: 30, random: &random))
        var oriented = orientation.applied(to: bitmap)
        let first = unsafe oriented.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        orientation.apply(to: bitmap, into: &oriented)
        let second = unsafe oriented.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(first == second)
    }

    @Test(
        "oriented JPEG planes have the colours of the oriented bitmap", arguments: Orientation.all,
        [(0, 0), (1, 0), (1, 1), (0, 1)])
    func planes(orientation: Orientation, shifts: (Int, Int)) throws {
        var random = SeededGenerator(seed: 9)
        let picture = RandomPicture(
            .decoded(xShift: shifts.0, yShift: shifts.1), width: 70, height: 36, codes: RandomPicture.calm,
            encoding: ColorEncoding(matrix: .bt601, range: .full), using: &random)
        var (planes, oriented) = (JFIFPlanes(), JFIFPlanes())
        let isConverted = try picture.converted(into: &planes)
        #expect(isConverted)
        orientation.apply(to: planes, into: &oriented)
        let bitmap = orientation.applied(to: try #require(try picture.rendered()))
        #expect((oriented.width, oriented.height) == (bitmap.width, bitmap.height))
        for (index, color) in bitmap.colors.enumerated() {
            let (y, x) = index.quotientAndRemainder(dividingBy: bitmap.width)
            #expect(color.distance(to: oriented.color(x, y)) < 0.6)
        }
    }

    @Test("rows instead of columns share the chroma of a picture turned on its side")
    func sharedChroma() {
        var (planes, oriented) = (JFIFPlanes(), JFIFPlanes())
        planes.reshape(width: 8, height: 6, xShift: 1, yShift: 0, isGrey: false)
        Orientation(rotation: .degrees90, isMirrored: false).apply(to: planes, into: &oriented)
        #expect((oriented.xShift, oriented.yShift) == (0, 1))
        #expect((oriented.planes[1].bytesPerLine, oriented.planes[1].rows) == (6, 4))
        Orientation(rotation: .degrees180, isMirrored: true).apply(to: planes, into: &oriented)
        #expect((oriented.xShift, oriented.yShift) == (1, 0))
    }

    @Test("oriented planes of odd size have complete luma with a repeated edge", arguments: Orientation.all)
    func oddPlanes(orientation: Orientation) throws {
        var random = SeededGenerator(seed: 9)
        let picture = RandomPicture(
            .decoded(xShift: 1, yShift: 1), width: 37, height: 5,
            encoding: ColorEncoding(matrix: .bt601, range: .full), using: &random)
        var (planes, oriented) = (JFIFPlanes(), JFIFPlanes())
        let isConverted = try picture.converted(into: &planes)
        #expect(isConverted)
        orientation.apply(to: planes, into: &oriented)
        let (raw, luma) = (planes.planes[0], oriented.planes[0])
        #expect((luma.bytesPerLine, luma.rows) == (oriented.width + 1, oriented.height + 1))
        for (y, x) in (0..<5).flatMap({ y in (0..<37).map { (y, $0) } }) {
            let place = orientation.place(x, y, 37, 5)
            #expect(luma.bytes[place.y * luma.bytesPerLine + place.x] == raw.bytes[y * raw.bytesPerLine + x])
        }
        for y in 0..<luma.rows {
            let row = luma.bytes[y * luma.bytesPerLine..<(y + 1) * luma.bytesPerLine]
            #expect(row.last == row.dropLast().last)
        }
        #expect(
            luma.bytes.suffix(luma.bytesPerLine) == luma.bytes.dropLast(luma.bytesPerLine).suffix(luma.bytesPerLine))
    }

    @Test("an oriented grey picture has luma alone")
    func grey() {
        var (planes, oriented) = (JFIFPlanes(), JFIFPlanes())
        planes.reshape(width: 8, height: 6, xShift: 0, yShift: 0, isGrey: true)
        Orientation(rotation: .degrees90, isMirrored: false).apply(to: planes, into: &oriented)
        #expect(oriented.isGrey)
        #expect(oriented.planes.map(\.bytes.count) == [48, 0, 0])
    }
}

extension Orientation {
    func applied(to bitmap: Bitmap) -> Bitmap {
        var oriented = bitmap
        apply(to: bitmap, into: &oriented)
        return oriented
    }

    /// Returns the place that a pixel moves to, by the documented table in two steps.
    fileprivate func place(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (x: Int, y: Int) {
        let rotated =
            switch rotation {
            case .degrees0: (x: x, y: y)
            case .degrees90: (x: height - 1 - y, y: x)
            case .degrees180: (x: width - 1 - x, y: height - 1 - y)
            case .degrees270: (x: y, y: width - 1 - x)
            }
        let columns = swapsSides ? height : width
        return isMirrored ? (columns - 1 - rotated.x, rotated.y) : rotated
    }
}

extension Bitmap {
    /// Creates pixels that letters stand for.
    fileprivate init?(letters rows: [String]) {
        self.init(
            width: rows[0].count, height: rows.count, bytes: rows.joined().utf8.flatMap { [$0, $0 + 1, $0 + 2, 0] })
    }

    init?(width: Int, height: Int, random: inout SeededGenerator) {
        self.init(width: width, height: height, bytes: random.bytes(4 * width * height))
    }
}
