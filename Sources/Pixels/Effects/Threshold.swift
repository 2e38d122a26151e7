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
