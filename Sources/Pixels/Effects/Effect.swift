import Color

/// A transformation of a picture, pixel by pixel.
public protocol Effect: Sendable {
    /// The name in the configuration and in URLs: lower case, with hyphens between words.
    var name: String { get }
    /// The name for people.
    var title: String { get }
    /// A sentence that says what it does.
    var summary: String { get }

    /// Changes the picture in place. Its size stays the same, and the unused bytes have no influence.
    func apply(to bitmap: inout Bitmap)
}

/// The list of effects.
public enum Effects {
    /// All effects, in the order in which they are shown.
    public static let all: [any Effect] = [
        NoEffect(), RedToBlue(), Grayscale(), Invert(), Posterize(), Threshold(), Edges(), FalseColor(), Zebra(),
        WithinTargets(),
    ]

    /// Returns the effect with a name; nil if there is none.
    public static func named(_ name: String) -> (any Effect)? { all.first { $0.name == name } }
}

/// An effect that leaves the picture unchanged.
struct NoEffect: Effect {
    let name = "none"
    let title = "None"
    let summary = "The picture as the camera sends it."

    func apply(to bitmap: inout Bitmap) {}
}

/// An effect that sets all three channels of each pixel to its luma (``RGBX/luma``).
struct Grayscale: Effect {
    let name = "grayscale"
    let title = "Grey"
    let summary = "Grey only: the luma of BT.709."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(grey: $0.luma) }
    }
}

/// An effect that makes a negative: each channel becomes 255 minus its value.
struct Invert: Effect {
    let name = "invert"
    let title = "Invert"
    let summary = "A negative: light becomes dark, and each colour becomes its complement."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(word: ~$0.word) }
    }
}

/// An effect that makes pixels white whose luma (``RGBX/luma``) is 128 or more, and all others black.
struct Threshold: Effect {
    let name = "threshold"
    let title = "Threshold"
    let summary = "Black and white only: white where luma is 128 or more of 255."

    func apply(to bitmap: inout Bitmap) {
        // A product replaces a branch, which the processor could not predict in a noisy picture.
        bitmap.mapPixels { RGBX(word: ($0.luma / 128) &* 0xFF_FFFF) }
    }
}

/// An effect that reduces each channel to four levels: 0...63 becomes 0, 64...127 85, 128...191 170, and 192...255 255.
///
/// All levels stand for the same number of code values and are evenly spread over 0...255.
struct Posterize: Effect {
    let name = "posterize"
    let title = "Posterize"
    let summary = "Only four levels of each channel, as on a poster printed with few inks."

    func apply(to bitmap: inout Bitmap) {
        // All channels are computed at once: a level is two bits, and the largest result, 3 * 85, fits a byte.
        bitmap.mapPixels { RGBX(word: ($0.word &>> 6 & 0x0303_0303) &* 85) }
    }
}

/// An effect that turns red to pure blue and rotates the channels of every other colour.
struct RedToBlue: Effect {
    let name = "red-to-blue"
    let title = "Red to blue"
    let summary = "Red becomes pure blue. In every other colour, red takes blue's value, green red's and blue green's."

    /// Applies the effect, where red means R' > 128 and G' < 128.
    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { pixel in
            // The bytes R', G' and B' each move up one place, and the last becomes the first.
            let rotated = RGBX(word: pixel.word &<< 8 & 0xFFFF00 | pixel.b)
            return pixel.r > 128 && pixel.g < 128 ? RGBX(r: 0, g: 0, b: 255) : rotated
        }
    }
}

/// An effect that shows how steeply luma changes, in grey; even areas are black.
///
/// Sobel's operator (R. O. Duda, P. E. Hart, "Pattern Classification and Scene Analysis", 1973, 7.3): the sum of the
/// absolute gradients along the row and along the column, at most 255. Unlike the root of the sum of squares, it needs
/// no more than 16 bits, at the price that a slanted edge is up to 1.42 times as strong.
struct Edges: Effect {
    let name = "edges"
    let title = "Edges"
    let summary = "Outlines: the more abruptly luma changes, the brighter the pixel."

    func apply(to bitmap: inout Bitmap) {
        @inline(__always)
        func edge(_ near: Neighborhood) -> RGBX {
            // Each gradient lies within -1020...1020, so nothing overflows.
            let alongRow =
                (near.topRight &+ 2 &* near.right &+ near.bottomRight)
                &- (near.topLeft &+ 2 &* near.left &+ near.bottomLeft)
            let alongColumn =
                (near.bottomLeft &+ 2 &* near.bottom &+ near.bottomRight)
                &- (near.topLeft &+ 2 &* near.top &+ near.topRight)
            let steepness = min(max(alongRow, 0 &- alongRow) &+ max(alongColumn, 0 &- alongColumn), 255)
            return RGBX(grey: UInt32(truncatingIfNeeded: steepness))
        }
        bitmap.mapNeighborhoods(of: { Int16(truncatingIfNeeded: $0.luma) }, edge)
    }
}

/// An effect that shows luma (``RGBX/luma``) as a colour of the ``LightnessRamp``.
struct FalseColor: Effect {
    let name = "false-color"
    let title = "False colour"
    let summary = "Luma as colour, from dark blue through purple and orange to yellow, in even steps."

    private static let pixels = LightnessRamp.colors.map { RGBX(r: UInt32($0.r), g: UInt32($0.g), b: UInt32($0.b)) }

    func apply(to bitmap: inout Bitmap) {
        let pixels = Self.pixels
        bitmap.mapPixels { pixels[Int($0.luma)] }
    }
}

/// An effect that draws diagonal stripes, as a camera's viewfinder does, where the picture has lost detail: red and
/// white where it is clipped (any channel 250 or more), blue and black where it is crushed (all channels 5 or less).
/// Other pixels stay unchanged.
///
/// Stripes are 8 pixels wide along a row, and each row's lie one pixel further left than those of the row above. The
/// stripe at the top left is coloured. The stripes do not move with the picture's content.
struct Zebra: Effect {
    let name = "zebra"
    let title = "Zebra"
    let summary =
        "Stripes where detail is lost: red and white on clipped highlights, blue and black on crushed shadows."

    func apply(to bitmap: inout Bitmap) {
        // Arithmetic replaces branches, which the processor could not predict in a noisy picture.
        @inline(__always)
        func striped(_ pixel: RGBX, x: UInt32, y: UInt32) -> RGBX {
            let uncolored = (x &+ y) / 8 % 2 &* 255
            let highlight = RGBX(r: 255, g: uncolored, b: uncolored)
            let shadow = RGBX(r: 0, g: 0, b: 255 &- uncolored)
            let most = max(pixel.r, max(pixel.g, pixel.b))
            let unclipped = RGBX(word: most <= 5 ? shadow.word : pixel.word)
            return RGBX(word: most >= 250 ? highlight.word : unclipped.word)
        }
        bitmap.mapPlacedPixels(striped)
    }
}

/// An effect that shows what lies within a target: everything else becomes grey, with a quarter of its luma
/// (``RGBX/luma``).
package struct WithinTargets: Effect {
    package let name = "targets"
    package let title = "Within targets"
    package let summary =
        "Only what lies within the tolerance of a target keeps its colour. Everything else is dark grey."

    package init() {}

    /// Makes everything grey, as if there were no target.
    package func apply(to bitmap: inout Bitmap) { bitmap.mapPixels(Self.outside) }

    /// - Parameter table: The colours that lie within each target.
    package func apply(to bitmap: inout Bitmap, _ table: CoverageTable) {
        bitmap.mapPixels { table.cell(r: $0.r, g: $0.g, b: $0.b).within != 0 ? $0 : Self.outside($0) }
    }

    @inline(__always)
    private static func outside(_ pixel: RGBX) -> RGBX { RGBX(grey: pixel.luma / 4) }
}
