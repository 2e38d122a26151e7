/// Each pixel's luma, as ``RGBX/luma`` defines it, in all three channels.
struct Grayscale: Effect {
    let name = "grayscale"
    let title = "Grayscale"
    let summary = "Only lightness is left: the luma of BT.709."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(grey: $0.luma) }
    }
}
