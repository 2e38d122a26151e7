import Color
import Pixels

/// The panel of lamps of the test pattern: on, off, blinking, overexposed, and changing its colour.
///
/// A lamp that is off is dark glass in the light of the room. One that is on has a colour of its own, whatever the light
/// of the room does.
enum LampPanel {
    struct Lamp {
        /// The colours that it shows in turn; nil while it is off.
        let phases: [RGB8?]
        /// The length of each phase, in microseconds.
        var phaseLength: Int64 = 1_000_000
        /// Whether its middle is overexposed, and only its glow has the colour.
        var hasCore = false
    }

    static let panel = Region(x: 0.05, y: 0.935, width: 0.6, height: 0.055)

    /// The lamps from left to right.
    static let all = [
        Lamp(phases: [RGB8(r: 60, g: 200, b: 80)]),
        Lamp(phases: [nil]),
        Lamp(phases: [RGB8(r: 240, g: 160, b: 30), nil], phaseLength: 500_000),
        Lamp(phases: [RGB8(r: 70, g: 130, b: 240)], hasCore: true),
        Lamp(phases: [RGB8(r: 225, g: 50, b: 40), RGB8(r: 60, g: 200, b: 80)], phaseLength: 30_000_000),
    ]

    /// Returns the place of a lamp in the picture, which is the ellipse that is inscribed in this region.
    static func region(of index: Int) -> Region {
        Region(x: 0.095 + 0.12 * Double(index), y: 0.9425, width: 0.03, height: 0.04)
    }

    /// Returns the overexposed middle of a lamp: a quarter of its area.
    fileprivate static func core(of region: Region) -> Region {
        Region(
            x: region.x + 0.25 * region.width, y: region.y + 0.25 * region.height, width: 0.5 * region.width,
            height: 0.5 * region.height)
    }

    /// Paints the panel with all lamps off.
    static func paint(on canvas: inout SceneCanvas) {
        canvas.fill(panel, RGB8(r: 30, g: 30, b: 30))
        // Darker than the panel, so that it cannot be taken for a dim light.
        for index in all.indices { canvas.fillEllipse(in: region(of: index), RGB8(r: 20, g: 20, b: 20)) }
    }
}

/// A painter of the lamps that are on, over a picture in the light of the room.
struct LampPainter {
    /// The pixels of a lamp, of which those within an ellipse are painted.
    private struct Tile {
        let rect: PixelRect
        let ellipse: Ellipse
        let core: Ellipse?
        let phaseLength: Int64
        /// The rectangle in the colour of each phase, as R, G, B; nil while the lamp is off.
        let phases: [[UInt8]?]
        /// The newest colours, with noise.
        var pixels: [UInt8]
    }

    /// The fewest pixels across a lamp. In a smaller picture, no lamp is on.
    private static let minSize = 4

    private let width: Int
    private var tiles: [Tile]
    private let ownLight = Relighting(red: 1, green: 1, blue: 1)

    init(width: Int, height: Int) {
        self.width = width
        tiles = LampPanel.all.enumerated().compactMap { index, lamp in
            let region = LampPanel.region(of: index)
            let rect = region.pixels(width: width, height: height)
            guard min(rect.width, rect.height) >= Self.minSize else { return nil }
            let count = rect.width * rect.height
            return Tile(
                rect: rect, ellipse: Ellipse(in: region, width: width, height: height),
                core: lamp.hasCore ? Ellipse(in: LampPanel.core(of: region), width: width, height: height) : nil,
                phaseLength: lamp.phaseLength,
                phases: lamp.phases.map { color in
                    color.map { color in (0..<count).flatMap { _ in [color.r, color.g, color.b] } }
                },
                pixels: [UInt8](repeating: 0, count: 3 * count))
        }
    }

    /// Paints the lamps that are on.
    /// - Parameters:
    ///   - microseconds: The time of the frame after the start.
    ///   - nudge: The number of pixels by which the picture is moved to the right.
    ///   - noise: The noise, as ``SensorNoise`` makes it.
    ///   - bytes: The picture as R, G, B.
    mutating func paint(at microseconds: Int64, nudge: Int, noise: [Int16], into bytes: inout [UInt8]) {
        for index in tiles.indices {
            let (rect, phases) = (tiles[index].rect, tiles[index].phases)
            guard let colors = phases[Int(microseconds / tiles[index].phaseLength % Int64(phases.count))] else {
                continue
            }
            let left = rect.x + nudge
            ownLight.light(
                colors, bytesPerLine: 3 * rect.width, noise: noise,
                offset: { SensorNoise.position(row: rect.y + $0, microseconds: microseconds) + 3 * left },
                into: &tiles[index].pixels)
            for row in 0..<rect.height {
                let y = rect.y + row
                let columns = tiles[index].ellipse.columns(ofRow: y).clamped(to: 0..<max(width - nudge, 0))
                guard !columns.isEmpty else { continue }
                let start = 3 * (row * rect.width - rect.x)
                bytes.replaceSubrange(
                    Self.place(of: columns, row: y, nudge, width),
                    with: tiles[index].pixels[start + 3 * columns.lowerBound..<start + 3 * columns.upperBound])
                guard let core = tiles[index].core?.columns(ofRow: y).clamped(to: columns), !core.isEmpty else {
                    continue
                }
                // What is overexposed has no noise.
                bytes.replaceSubrange(
                    Self.place(of: core, row: y, nudge, width), with: repeatElement(255, count: 3 * core.count))
            }
        }
    }

    /// Returns the place of some pixels of a row in the bytes of a picture.
    private static func place(of columns: Range<Int>, row: Int, _ nudge: Int, _ width: Int) -> Range<Int> {
        let start = 3 * (row * width + nudge)
        return start + 3 * columns.lowerBound..<start + 3 * columns.upperBound
    }
}
