import Color
import Pixels

/// A strip for testing water, and the card with the colours of each pH, above the colour chart.
enum StripAndCard {
    /// The pH of the card's colours, from left to right.
    static let values = [4.0, 5, 6, 7, 8, 9]
    /// The colours under a lamp whose gains are all 1. They are ours, like those of a universal indicator.
    static let colors = [
        RGB8(r: 214, g: 92, b: 50), RGB8(r: 226, g: 148, b: 52), RGB8(r: 218, g: 190, b: 70),
        RGB8(r: 134, g: 166, b: 74),
        RGB8(r: 62, g: 130, b: 110), RGB8(r: 48, g: 86, b: 130),
    ]
    /// The strip's pH, which the card does not have.
    static let stripValue = 6.8
    /// Four fifths of the way from 6 to 7 in CIELAB (D50), rounded.
    static let stripColor = RGB8(r: 151, g: 171, b: 73)

    /// The card, of which each colour has a sixth.
    static let card = Region(x: 0.055, y: 0.008, width: 0.42, height: 0.054)
    static let strip = Region(x: 0.50, y: 0.008, width: 0.15, height: 0.054)
    /// The pad of the strip, which takes the colour.
    static let pad = Region(x: 0.515, y: 0.013, width: 0.06, height: 0.044)

    private static let paper = RGB8(r: 236, g: 236, b: 233)

    /// Returns the place of a colour of the card in the picture.
    static func region(of index: Int) -> Region {
        Region(x: 0.06 + 0.07 * Double(index), y: 0.013, width: 0.06, height: 0.044)
    }

    static func paint(on canvas: inout SceneCanvas) {
        canvas.fill(card, paper)
        for (index, color) in colors.enumerated() { canvas.fill(region(of: index), color) }
        canvas.fill(strip, paper)
        canvas.fill(pad, stripColor)
    }
}
