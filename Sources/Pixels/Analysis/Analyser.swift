/// Reads the mean colour of a part of a picture.
///
/// The mean is over every pixel of the region, of its R'G'B' on the 8-bit scale, each channel of each pixel clamped to
/// 0...255 first: a colour that no display can show counts as what the display would show. Sums are exact integers, so
/// the parts of a region add up to the whole.
public struct Analyser: Sendable {
    /// The picture.
    public let layout: PictureLayout
    /// The pixels that are read.
    public let rect: PixelRect
    private let bytesNeeded: Int
    private let conversion: Conversion

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the layout is none that can be read (a row longer than its stride, no pixels).
    public init?(layout: PictureLayout, region: Region) {
        let rect = region.pixels(width: layout.width, height: layout.height)
        guard let bytesNeeded = layout.bytesNeeded(for: rect) else { return nil }
        self.layout = layout
        self.rect = rect
        self.bytesNeeded = bytesNeeded
        conversion = Conversion(model: layout.format.model, encoding: layout.encoding)
    }

    /// The mean colour.
    /// - Parameter bytes: The picture.
    /// - Returns: Nil if bytes are missing: the picture is damaged.
    public func mean(of bytes: RawSpan) -> RGB? {
        guard bytes.byteCount >= bytesNeeded else { return nil }
        let samples = Span<UInt8>(_bytes: bytes)
        let sums = layout.format.components.count == 1 ? greySums(samples) : colorSums(samples)
        let scale = Double(rect.width) * Double(rect.height) * Double(Conversion.one)
        return RGB(r: Double(sums.r) / scale, g: Double(sums.g) / scale, b: Double(sums.b) / scale)
    }

    private func greySums(_ samples: Span<UInt8>) -> ChannelSums {
        let component = layout.format.components[0]
        var sum: Int64 = 0
        for y in rect.y..<rect.y + rect.height {
            let row = start(of: component, row: y)
            for x in rect.x..<rect.x + rect.width {
                sum += Int64(samples[row + x * component.step])
            }
        }
        sum *= Conversion.one
        return ChannelSums(r: sum, g: sum, b: sum)
    }

    private func colorSums(_ samples: Span<UInt8>) -> ChannelSums {
        let (c0, c1, c2) = (layout.format.components[0], layout.format.components[1], layout.format.components[2])
        var sums = ChannelSums()
        for y in rect.y..<rect.y + rect.height {
            let (row0, row1, row2) = (start(of: c0, row: y), start(of: c1, row: y), start(of: c2, row: y))
            for x in rect.x..<rect.x + rect.width {
                conversion.add(
                    Int64(samples[row0 + (x >> c0.xShift) * c0.step]),
                    Int64(samples[row1 + (x >> c1.xShift) * c1.step]),
                    Int64(samples[row2 + (x >> c2.xShift) * c2.step]), to: &sums)
            }
        }
        return sums
    }

    private func start(of component: PixelFormat.Component, row: Int) -> Int {
        layout.start(ofPlane: component.plane) + (row >> component.yShift) * layout.bytesPerLine + component.offset
    }
}

/// Sums of R'G'B' in units of 1 / `Conversion.one` of a code value.
struct ChannelSums: Equatable, Sendable {
    var r: Int64 = 0
    var g: Int64 = 0
    var b: Int64 = 0
}
