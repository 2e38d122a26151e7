/// An effect that reduces each channel to four levels: 0...63 becomes 0, 64...127 85, 128...191 170, and 192...255 255.
///
/// All levels stand for the same number of code values and are evenly spread over 0...255.
struct Posterize: Effect {
    let name = "posterize"
    let title = "Posterize"
    let summary = "Only four levels of each channel, as on a poster printed with few inks."

    func apply(to bitmap: inout Bitmap) {
        // All channels are computed at once: a level is two bits, and the largest result, 3 * 85, fits a byte.
        bitmap.mapPixels { RGBX(word: ($0.word &>> 6 & 0x0303_0303) &* 85) }
    }
}
