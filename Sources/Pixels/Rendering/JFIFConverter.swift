import CPixels

/// Takes pictures of 8-bit Y'CbCr apart into the planes that JPEG stores, without going by way of R'G'B'.
///
/// Chroma keeps the resolution that it has. Samples of limited range are stretched to full range and clamped, each
/// component by itself: of colours beyond black and white, which no display shows, those that are saturated too may come
/// out otherwise than ``Renderer`` draws them.
public struct JFIFConverter: Sendable {
    /// The picture.
    public var layout: PictureLayout { access.layout }
    private let access: PictureAccess
    private let rescalings: [cpixels_rescaling]

    /// Prepares to convert pictures of one layout.
    /// - Returns: Nil if the layout is none that can be read, or none that JPEG can store as it is: its samples are not
    ///   bytes, its chroma is shared among more than two by two pixels, or its matrix is not that of BT.601. Then
    ///   ``Renderer`` is the way.
    public init?(layout: PictureLayout) {
        let (format, components) = (layout.format, layout.format.components)
        guard format.word == .byte, components.allSatisfy({ $0.bits == 8 }), Self.isLuma(components[0]) else {
            return nil
        }
        switch format.model {
        case .grey where components.count == 1:
            rescalings = [Self.rescaling(zero: 0, to: 0, span: 255)]
        case .yCbCr where components.map(\.channel) == [0, 1, 2] && layout.encoding.matrix == .bt601:
            guard components[1].xShift == components[2].xShift, components[1].yShift == components[2].yShift,
                0...1 ~= components[1].xShift, 0...1 ~= components[1].yShift
            else { return nil }
            // Code values from black to white, and of chroma from -0.5 to 0.5 (ITU-R BT.601-7, 2.5.3).
            let isFull = layout.encoding.range == .full
            let luma = Self.rescaling(zero: isFull ? 0 : 16, to: 0, span: isFull ? 255 : 219)
            let chroma = Self.rescaling(
                zero: YCbCrDecoder.chromaZero, to: YCbCrDecoder.chromaZero, span: isFull ? 255 : 224)
            rescalings = [luma, chroma, chroma]
        default: return nil
        }
        guard let access = PictureAccess(layout: layout) else { return nil }
        self.access = access
    }

    /// Converts a picture.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    ///   - planes: Take the picture's size and its subsampling, if they have others.
    /// - Returns: False if bytes are missing; then nothing is converted.
    public func convert(
        _ first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan(), into planes: inout JFIFPlanes
    ) -> Bool {
        let done: Void? = unsafe access.withBytes(first, second, third) { picture in
            let last = layout.format.components[rescalings.count - 1]
            planes.reshape(
                width: layout.width, height: layout.height, xShift: last.xShift, yShift: last.yShift,
                isGrey: rescalings.count == 1)
            for index in rescalings.indices {
                unsafe convert(picture, component: index, into: &planes.planes[index])
            }
        }
        return done != nil
    }

    private func convert(_ picture: PictureBytes, component index: Int, into plane: inout JFIFPlanes.Plane) {
        let component = layout.format.components[index]
        let (width, rows, lastRow) = (plane.bytesPerLine, plane.rows, layout.height - 1)
        // What the picture does not have, at odd sizes, its last sample stands for.
        let count = unsafe min(picture.extents[index].lastSample + 1, width)
        var rescaling = rescalings[index]
        unsafe plane.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress, bytes.count == width * rows else { return }
            for row in 0..<rows {
                let samples =
                    unsafe picture.row(min(row << component.yShift, lastRow), ofComponent: index) + component.offset
                let copies = unsafe start + row * width
                unsafe cpixels_copy_samples(samples, component.step, count, &rescaling, copies)
                unsafe (copies + count).update(repeating: copies[count - 1], count: width - count)
            }
        }
    }

    private static func isLuma(_ component: PixelFormat.Component) -> Bool {
        component.channel == 0 && component.xShift == 0 && component.yShift == 0
    }

    /// Moves zero to another code value, and stretches the span from one end of the range to the other to 255.
    private static func rescaling(zero: Int, to newZero: Int, span: Int) -> cpixels_rescaling {
        let one = 1 << 14
        let scale = Int((255 * Double(one) / Double(span)).rounded())
        // A half more, to round to nearest.
        return cpixels_rescaling(scale: Int16(scale), offset: Int32(newZero * one + one / 2 - scale * zero))
    }
}
