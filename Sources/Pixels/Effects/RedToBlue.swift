/// Red becomes pure blue; every other colour has its channels rotated.
struct RedToBlue: Effect {
    let name = "red-to-blue"
    let title = "Red to blue"
    let summary = "Red turns to pure blue; in all other colours blue moves to green, green to red and red to blue."

    /// Red is R' > 128 and G' < 128.
    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { pixel in
            let rotated = RGBX(word: pixel.word &>> 8 & 0xFFFF | pixel.r &<< 16)
            return pixel.r > 128 && pixel.g < 128 ? RGBX(r: 0, g: 0, b: 255) : rotated
        }
    }
}
