/// An effect that makes a negative: each channel becomes 255 minus its value.
struct Invert: Effect {
    let name = "invert"
    let title = "Invert"
    let summary = "A negative: light becomes dark, and each colour becomes its complement."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(word: ~$0.word) }
    }
}
