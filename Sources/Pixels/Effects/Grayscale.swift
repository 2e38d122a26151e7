/// An effect that sets all three channels of each pixel to its luma (``RGBX/luma``).
struct Grayscale: Effect {
    let name = "grayscale"
    let title = "Grayscale"
    let summary = "Lightness only: the luma of BT.709."

    func apply(to bitmap: inout Bitmap) {
        bitmap.mapPixels { RGBX(grey: $0.luma) }
    }
}
