import CPixels

/// A converter of 8-bit Y'CbCr pictures to the planes that JPEG stores, without a detour through R'G'B'.
///
/// Chroma keeps its resolution. Samples of limited range are stretched to full range and clamped, each component
/// separately. So saturated colours beyond black or white, which no display can show, may differ from those that
/// ``Renderer`` draws.
public struct JFIFConverter: Sendable {
    /// The layout of the pictures.
    public var layout: PictureLayout { access.layout }
    private let access: PictureAccess
    private let rescalings: [cpixels_rescaling]

    /// Prepares to convert pictures of one layout.
    /// - Returns: Nil if the layout cannot be read, or JPEG cannot store it directly, because its samples are not bytes
    ///   or are proportional to light, more than two by two pixels share chroma, or its matrix is not BT.601's. Use
    ///   ``Renderer`` in these cases.
    public init?(layout: PictureLayout) {
        let (format, components) = (layout.format, layout.format.components)
        guard layout.encoding.linearLight == nil,
            format.word == .byte, components.allSatisfy({ $0.bits == 8 }), Self.isLuma(components[0])
        else {
            return nil
        }
        // The spans are the code values from black to white, and from -0.5 to 0.5 of chroma (ITU-R BT.601-7, 2.5.3).
        let isFull = layout.encoding.range == .full
        let luma = Self.rescaling(zero: isFull ? 0 : 16, to: 0, span: isFull ? 255 : 219)
        switch format.model {
        case .grey where components.count == 1: rescalings = [luma]
        case .yCbCr where components.map(\.channel) == [0, 1, 2] && layout.encoding.matrix == .bt601:
            guard components[1].xShift == components[2].xShift, components[1].yShift == components[2].yShift,
                0...1 ~= components[1].xShift, 0...1 ~= components[1].yShift
            else { return nil }
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
    ///   - planes: The planes that receive the picture and take its size and subsampling.
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
        let (width, rows) = (plane.bytesPerLine, plane.rows)
        // At odd sizes, the last sample is repeated for those that the picture lacks, as `row` repeats the last row.
        let count = unsafe min(picture.extents[index].lastSample + 1, width)
        var rescaling = rescalings[index]
        unsafe plane.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress, bytes.count == width * rows else { return }
            for row in 0..<rows {
                let samples =
                    unsafe picture.row(row << component.yShift, ofComponent: index) + component.offset
                let copies = unsafe start + row * width
                unsafe cpixels_copy_samples(samples, component.step, count, &rescaling, copies)
                unsafe (copies + count).update(repeating: copies[count - 1], count: width - count)
            }
        }
    }

    private static func isLuma(_ component: PixelFormat.Component) -> Bool {
        component.channel == 0 && component.xShift == 0 && component.yShift == 0
    }

    /// Returns a rescaling that moves zero to another code value and stretches a range with the given span to 255.
    private static func rescaling(zero: Int, to newZero: Int, span: Int) -> cpixels_rescaling {
        let one = 1 << 14
        let scale = Int((255 * Double(one) / Double(span)).rounded())
        // Half a code value is added to round to nearest.
        return cpixels_rescaling(scale: Int16(scale), offset: Int32(newZero * one + one / 2 - scale * zero))
    }
}

/// A picture as JPEG files store it: one 8-bit plane each of Y', Cb and Cr in full range with the matrix of BT.601
/// (JFIF 1.02, section 7), or of Y' alone.
public struct JFIFPlanes: Equatable, Sendable {
    /// The samples of one component.
    public struct Plane: Equatable, Sendable {
        /// The number of samples in a row. The next row follows without a gap.
        public private(set) var bytesPerLine = 0
        /// The number of rows.
        public private(set) var rows = 0
        /// The samples, `bytesPerLine * rows` of them.
        public internal(set) var bytes: [UInt8] = []

        /// Sets the size of the plane; memory is reallocated only if the size changes.
        mutating func reshape(bytesPerLine: Int, rows: Int) {
            guard (self.bytesPerLine, self.rows) != (bytesPerLine, rows) else { return }
            (self.bytesPerLine, self.rows) = (bytesPerLine, rows)
            bytes = [UInt8](repeating: 0, count: bytesPerLine * rows)
        }

        /// Repeats the last column and the last row of the picture up to the plane's edges.
        mutating func repeatEdges(width: Int, height: Int) {
            for row in 0..<height where width < bytesPerLine {
                let end = row * bytesPerLine + width
                for index in end..<(row + 1) * bytesPerLine { bytes[index] = bytes[end - 1] }
            }
            for index in height * bytesPerLine..<bytes.count { bytes[index] = bytes[index - bytesPerLine] }
        }
    }

    /// The width in pixels.
    public private(set) var width = 0
    /// The height in pixels.
    public private(set) var height = 0
    /// log2 of the number of pixels in a row that share chroma: 0 or 1.
    public private(set) var xShift = 0
    /// log2 of the number of rows that share chroma: 0 or 1.
    public private(set) var yShift = 0
    /// Whether there is luma alone.
    public private(set) var isGrey = false
    /// The planes of luma, blue difference and red difference; the last two are empty in a grey picture.
    ///
    /// Every chroma sample has all of its luma samples, as libjpeg-turbo's compressor requires. At odd sizes, luma has
    /// one more column or row than the picture, which repeats the last one.
    public internal(set) var planes = [Plane(), Plane(), Plane()]

    /// Creates empty planes. They keep their memory when one picture after another is converted into them.
    public init() {}

    /// Allocates room for a picture.
    mutating func reshape(width: Int, height: Int, xShift: Int, yShift: Int, isGrey: Bool) {
        (self.width, self.height, self.isGrey) = (width, height, isGrey)
        (self.xShift, self.yShift) = (xShift, yShift)
        let (columns, rows) = ((width + (1 << xShift) - 1) >> xShift, (height + (1 << yShift) - 1) >> yShift)
        planes[0].reshape(bytesPerLine: columns << xShift, rows: rows << yShift)
        for index in 1...2 {
            planes[index].reshape(bytesPerLine: isGrey ? 0 : columns, rows: isGrey ? 0 : rows)
        }
    }
}
