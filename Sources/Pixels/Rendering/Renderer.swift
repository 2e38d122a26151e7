/// A renderer that draws pictures of any readable format into a bitmap.
///
/// Each pixel is decoded to R'G'B' with the same tables as for means, clamped to 0...255 and rounded to nearest. A
/// pixel of a Bayer mosaic has the colour of its cell of two by two.
public struct Renderer: Sendable {
    /// The layout of the pictures.
    public var layout: PictureLayout { access.layout }
    private let access: PictureAccess
    private let loop: TableLoop

    /// Prepares to draw pictures of one layout.
    /// - Returns: Nil if the layout cannot be read, because a row is longer than its stride, a buffer is too small, or
    ///   there are no pixels.
    public init?(layout: PictureLayout) {
        guard let access = PictureAccess(layout: layout) else { return nil }
        self.access = access
        loop = TableLoop(layout)
    }

    /// Draws a picture.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    ///   - bitmap: Receives all pixels; unused bytes become 0.
    /// - Returns: False if bytes are missing or the bitmap has another size; nothing is drawn then.
    public func render(
        _ first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan(), into bitmap: inout Bitmap
    ) -> Bool {
        guard bitmap.width == layout.width, bitmap.height == layout.height else { return false }
        let done: Void? = unsafe access.withBytes(first, second, third) { picture in
            BitmapWriter.draw(into: &bitmap) { writer in unsafe loop.pass(picture, to: &writer) }
        }
        return done != nil
    }
}

/// A sink that writes pixels to a bitmap one after another. Pixels that no longer fit are dropped.
@safe struct BitmapWriter: PixelSink {
    private var next: UnsafeMutableRawPointer
    private var remaining: Int

    /// Lends a writer that begins at the bitmap's first pixel.
    static func draw(into bitmap: inout Bitmap, _ body: (inout BitmapWriter) -> Void) {
        unsafe bitmap.bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            var writer = unsafe BitmapWriter(next: start, remaining: buffer.count / Bitmap.bytesPerPixel)
            body(&writer)
        }
    }

    private init(next: UnsafeMutableRawPointer, remaining: Int) {
        unsafe self.next = unsafe next
        self.remaining = remaining
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        guard remaining >= 1 else { return }
        let word = UInt32(truncatingIfNeeded: ConversionTable.rgbx(ConversionTable.clamped(pixel)))
        unsafe next.storeBytes(of: word.littleEndian, as: UInt32.self)
        unsafe next += Bitmap.bytesPerPixel
        remaining &-= 1
    }

    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        guard remaining >= 4 else {
            for pixel in [p0, p1, p2, p3] { take(pixel) }
            return
        }
        let bias = ConversionTable.bias
        var (q0, q1, q2, q3) = (p0 ^ bias, p1 ^ bias, p2 ^ bias, p3 ^ bias)
        if (q0 | q1 | q2 | q3) & ConversionTable.outOfRange != 0 {
            (q0, q1) = (ConversionTable.clamped(p0), ConversionTable.clamped(p1))
            (q2, q3) = (ConversionTable.clamped(p2), ConversionTable.clamped(p3))
        }
        let (r0, r1, r2, r3) = (
            ConversionTable.rgbx(q0), ConversionTable.rgbx(q1), ConversionTable.rgbx(q2), ConversionTable.rgbx(q3)
        )
        unsafe next.storeBytes(of: (r0 | r1 &<< 32).littleEndian, as: UInt64.self)
        unsafe next.storeBytes(of: (r2 | r3 &<< 32).littleEndian, toByteOffset: 8, as: UInt64.self)
        unsafe next += 4 &* Bitmap.bytesPerPixel
        remaining &-= 4
    }
}

extension ConversionTable {
    /// Returns clamped channels as 8-bit code values, rounded to nearest: a bitmap's pixel in the lower 32 bits.
    ///
    /// In a channel f, 2^18 - 1 stands for 255. So f - f / 256 has 1024 units in a code value, and is exact to one
    /// unit.
    @inline(__always)
    static func rgbx(_ channels: UInt64) -> UInt64 {
        let lowTen = ones &* 1023
        let codes = channels &- ((channels &>> 8) & lowTen) &+ ones &* 512
        return (codes &>> 10) & 0xFF | (codes &>> 23) & 0xFF00 | (codes &>> 36) & 0xFF_0000
    }
}
