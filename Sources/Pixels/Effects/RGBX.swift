/// A pixel of a bitmap as one word.
///
/// Channels are 32 bits wide here, so that a shift and a mask turn a vector of words into a vector of channels.
struct RGBX {
    /// The pixel with red in the lowest byte and blue in the third; the highest byte is unused.
    var word: UInt32

    @inline(__always) static var black: RGBX { RGBX(grey: 0) }
    @inline(__always) static var white: RGBX { RGBX(grey: 255) }

    @inline(__always)
    init(word: UInt32) {
        self.word = word
    }

    /// Creates a pixel from channels of 0...255.
    @inline(__always)
    init(r: UInt32, g: UInt32, b: UInt32) {
        word = r | g &<< 8 | b &<< 16
    }

    /// Creates a grey pixel from a level of 0...255.
    @inline(__always)
    init(grey: UInt32) {
        self.init(r: grey, g: grey, b: grey)
    }

    @inline(__always) var r: UInt32 { word & 0xFF }
    @inline(__always) var g: UInt32 { word &>> 8 & 0xFF }
    @inline(__always) var b: UInt32 { word &>> 16 & 0xFF }

    /// The luma, 0...255: Y' = 0.2126 R' + 0.7152 G' + 0.0722 B' (ITU-R BT.709-6, item 3.2).
    ///
    /// It is computed in whole numbers: (3483 R' + 11718 G' + 1183 B' + 8192) / 16384, rounded down. The coefficients
    /// are BT.709's in 16384ths and add up to 16384, so that grey keeps its value. They fit 16 bits, which SSE2 can
    /// multiply and add in one instruction, unlike 32 bits.
    @inline(__always) var luma: UInt32 {
        (3483 &* r &+ 11718 &* g &+ 1183 &* b &+ 8192) &>> 14
    }
}
