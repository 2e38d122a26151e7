/// The negative: each channel is 255 minus what it was.
struct Invert: Effect {
    let name = "invert"
    let title = "Invert"
    let summary = "A negative: light turns dark, and each colour turns into its complement."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(word: ~$0.word) }
    }
}
