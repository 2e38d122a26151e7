import Color

/// An effect that shows luma (``RGBX/luma``) as a colour of the ``LightnessRamp``.
struct FalseColor: Effect {
    let name = "false-color"
    let title = "False colour"
    let summary = "Lightness as colour, from dark blue through purple and orange to yellow, in even steps."

    private static let pixels = LightnessRamp.colors.map { RGBX(r: UInt32($0.r), g: UInt32($0.g), b: UInt32($0.b)) }

    func apply(to bitmap: inout Bitmap) {
        let pixels = Self.pixels
        bitmap.mapPixels { pixels[Int($0.luma)] }
    }
}
