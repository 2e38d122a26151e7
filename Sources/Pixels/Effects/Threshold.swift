/// White where luma, as ``RGBX/luma`` defines it, is 128 or more; black elsewhere.
struct Threshold: Effect {
    let name = "threshold"
    let title = "Threshold"
    let summary = "Black and white only: white where luma is 128 or more of 255."

    func apply(to bitmap: inout Bitmap) {
        // A product instead of a branch: which way it goes cannot be predicted in a noisy picture.
        bitmap.mapPixels { RGBX(word: ($0.luma / 128) &* 0xFF_FFFF) }
    }
}
