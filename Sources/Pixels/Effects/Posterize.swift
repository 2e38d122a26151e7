/// Four levels a channel: 0...63 becomes 0, 64...127 85, 128...191 170, and 192...255 255.
///
/// Each level stands for as many code values, and the levels are evenly spread over 0...255.
struct Posterize: Effect {
    let name = "posterize"
    let title = "Posterize"
    let summary = "Four levels of each channel are left, as on a poster of few inks."

    func apply(to bitmap: inout Bitmap) {
        // All channels at once: a level is two bits, and 3 * 85 is a byte.
        bitmap.mapPixels { RGBX(word: ($0.word &>> 6 & 0x0303_0303) &* 85) }
    }
}
