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
