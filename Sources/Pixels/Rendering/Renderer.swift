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
