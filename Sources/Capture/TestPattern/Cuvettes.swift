import Color
import Pixels

/// The cuvettes of the test pattern: a dilution series of a blue food colouring before a white panel.
///
/// Each channel has the transmittance T = 10^(-ε c) of Beer and Lambert, where c is the concentration. The colours
/// follow from it, and are rounded, so that every processor paints the same bytes.
enum Cuvettes {
    struct Cuvette {
        /// The concentration in mg/L.
        let concentration: Double
        /// The colour under a lamp whose gains are all 1.
        let color: RGB8
    }

    /// The absorbance of 1 mg/L in each channel.
    static let absorptivity = ChannelFigures(r: 0.12, g: 0.06, b: 0.01)

    /// The cuvettes from left to right: a blank, the standards, and an unknown.
    static let all = [
        cuvette(0, 233, 233, 233), cuvette(1, 206, 219, 231), cuvette(2, 182, 206, 228), cuvette(3, 161, 194, 226),
        cuvette(4, 142, 182, 224), cuvette(5, 125, 171, 221), cuvette(3.4, 153, 189, 225),
    ]

    /// The lit panel behind the cuvettes.
    static let panel = Region(x: 0.69, y: 0.32, width: 0.28, height: 0.13)

    /// Returns the place of a cuvette in the picture.
    static func region(of index: Int) -> Region {
        Region(x: 0.7 + 0.038 * Double(index), y: 0.335, width: 0.032, height: 0.1)
    }

    static func paint(on canvas: inout SceneCanvas) {
        canvas.fill(panel, RGB8(r: 243, g: 243, b: 243))
        for (index, cuvette) in all.enumerated() { canvas.fill(region(of: index), cuvette.color) }
    }

    private static func cuvette(_ concentration: Double, _ r: UInt8, _ g: UInt8, _ b: UInt8) -> Cuvette {
        Cuvette(concentration: concentration, color: RGB8(r: r, g: g, b: b))
    }
}
