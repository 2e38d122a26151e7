import Color
import TestSupport
import Testing

@testable import Pixels

/// Pictures at the ends of the range, where sums overflow and channels are clamped.
@Suite("A picture of one colour")
struct SaturationTests {
    /// The 8-bit formats, most of which are added up in C.
    static let formats = PixelFormat.all
        .filter { format in
            [.rgb, .yCbCr, .grey].contains(format.model) && format.components.allSatisfy { $0.bits == 8 }
        }.map(\.fourCC)

    @Test(
        "a uniform picture of 640 x 480 extreme pixels has the mean of one of them", arguments: formats,
        [0, 255] as [UInt8])
    func ends(fourCC: String, code: UInt8) throws {
        let format = try #require(PixelFormat.named(fourCC))
        var random = SeededGenerator(seed: 3)
        // Mosaics are added up by tables, which have no short sums that could overflow, and are slow.
        let (width, height) = format.isMosaic ? (8, 8) : (640, 480)
        for range in [ColorEncoding.Range.full, .limited] {
            let picture = RandomPicture(
                format, width: width, height: height, codes: code...code,
                encoding: ColorEncoding(matrix: .bt601, range: range), using: &random)
            let analyser = try #require(Analyser(layout: picture.layout, region: .full))
            let memory = try picture.buffers.map { try GuardedMemory($0) }
            let mean = try #require(memory.lent { analyser.sums(of: $0, $1, $2) }).mean
            #expect(mean.distance(to: picture.reference(PixelRect(x: 0, y: 0, width: 2, height: 2))) < 0.003)
            #expect([mean.r, mean.g, mean.b].allSatisfy { (0...255).contains($0) })
        }
    }

    /// BT.601 at full range: R' = Y' + 1.402 Pr, G' = Y' - 0.344136 Pb - 0.714136 Pr, B' = Y' + 1.772 Pb.
    @Test(
        "a channel that is out of range is clamped, even if it is the only one",
        arguments: PixelFormat.all.filter { $0.model == .yCbCr && $0.components.allSatisfy { $0.bits == 8 } }
            .map(\.fourCC),
        [
            ([240, 128, 150], RGB(r: 255, g: 224.289, b: 240)), ([20, 128, 100], RGB(r: 0, g: 39.996, b: 20)),
            ([240, 100, 100], RGB(r: 200.744, g: 255, b: 190.384)), ([20, 150, 150], RGB(r: 50.844, g: 0, b: 58.984)),
            ([240, 150, 128], RGB(r: 240, g: 232.429, b: 255)), ([20, 100, 128], RGB(r: 20, g: 29.636, b: 0)),
        ] as [([UInt8], RGB)])
    func clamping(fourCC: String, color: (codes: [UInt8], mean: RGB)) throws {
        let format = try #require(PixelFormat.named(fourCC))
        var random = SeededGenerator(seed: 3)
        let encoding = ColorEncoding(matrix: .bt601, range: .full)
        // Wide enough for more than one run, and for pixels at its edges.
        let noise = RandomPicture(format, width: 1101, height: 3, encoding: encoding, using: &random)
        var buffers = noise.buffers
        for (component, code) in zip(format.components, color.codes) {
            let rows = noise.layout.rows(of: component)
            for row in 0..<3 {
                for sample in 0...(1100 >> component.xShift) {
                    let index = rows.start(ofRow: row) + component.offset + sample * component.step
                    if buffers[rows.buffer].indices.contains(index) { buffers[rows.buffer][index] = code }
                }
            }
        }
        let analyser = try #require(Analyser(layout: noise.layout, region: .full))
        let memory = try buffers.map { try GuardedMemory($0) }
        let mean = try #require(memory.lent { analyser.sums(of: $0, $1, $2) }).mean
        #expect(mean.distance(to: color.mean) < 0.01)
    }
}
