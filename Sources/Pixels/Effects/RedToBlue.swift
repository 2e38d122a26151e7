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
