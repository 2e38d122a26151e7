import CPixels

/// A loop that adds up pixels whose channels are whole bytes: 8-bit RGB and grey.
///
/// Clamping such a channel means clamping its byte, and the remaining decoding is linear. So the bytes are added, and
/// only the sums are decoded.
struct ByteLoop: Sendable {
    private let black: UInt8
    private let white: UInt8

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the channels are not bytes, or are proportional to light.
    init?(_ layout: PictureLayout) {
        let format = layout.format
        guard layout.encoding.linearLight == nil,
            format.word == .byte, format.model == .rgb || format.model == .grey, format.planes.count == 1,
            format.components.count == (format.model == .grey ? 1 : 3),
            format.components.allSatisfy({ $0.bits == 8 && $0.xShift == 0 && $0.yShift == 0 && (1...4) ~= $0.step })
        else { return nil }
        // ITU-R BT.601-7, 2.5.3.
        (black, white) = layout.encoding.range == .full ? (0, 255) : (16, 235)
    }

    /// Returns the sums over the picture's rectangle.
    func sums(of picture: PictureBytes) -> PictureSums {
        let (rect, components) = unsafe (picture.rect, picture.layout.format.components)
        let (step, offsets) = (components[0].step, components.map(\.offset))
        let (first, last) = (offsets.min() ?? 0, offsets.max() ?? 0)
        var lanes = [UInt64](repeating: 0, count: 12)
        let stride = unsafe picture.layout.stride(ofPlane: 0)
        // Rows are read in whole pixels, and therefore in whole vectors; but in the last row, nothing beyond the last
        // component is read.
        for (y, rows, behind) in [(rect.y, rect.height - 1, step - 1), (rect.y + rect.height - 1, 1, last - first)] {
            let row = unsafe picture.row(y, ofComponent: 0) + rect.x * step + first
            let count = (rect.width - 1) * step + behind + 1
            unsafe cpixels_add_bytes(row, count, step, rows, stride, black, white, &lanes)
        }
        let pixels = rect.width * rect.height
        let channels = offsets.map { offset in
            Swift.stride(from: offset - first, to: 12, by: step).reduce(0) { $0 + lanes[$1] } - UInt64(black)
                * UInt64(pixels)
        }
        // The only channel of a grey picture stands for all three.
        let (g, b) = channels.count == 3 ? (channels[1], channels[2]) : (channels[0], channels[0])
        return PictureSums(
            (channels[0], g, b), pixels: pixels, unit: .codeValues(perUnit: 255 / Double(white - black)))
    }
}
