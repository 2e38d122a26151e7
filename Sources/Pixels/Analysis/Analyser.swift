/// Reads the mean colour of a part of a picture.
///
/// The mean is over every pixel of the region, of its R'G'B' on the 8-bit scale, each channel of each pixel clamped to
/// 0...255 first: a colour that no display can show counts as what the display would show. Sums are whole numbers, so
/// the parts of a region add up to the whole.
public struct Analyser: Sendable {
    /// The picture.
    public let layout: PictureLayout
    /// The pixels that are read.
    public let rect: PixelRect
    private let bytesNeeded: [Int]
    private let conversion: Conversion

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the layout is none that can be read (a row longer than its stride, no pixels).
    public init?(layout: PictureLayout, region: Region) {
        let rect = region.pixels(width: layout.width, height: layout.height)
        guard let bytesNeeded = layout.bytesNeeded(for: rect) else { return nil }
        self.layout = layout
        self.rect = rect
        self.bytesNeeded = bytesNeeded
        conversion = Conversion(layout.format, encoding: layout.encoding)
    }

    /// The mean colour.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    /// - Returns: Nil if bytes are missing: the picture is damaged.
    public func mean(of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()) -> RGB? {
        let counts = [first.byteCount, second.byteCount, third.byteCount]
        guard zip(bytesNeeded, counts).allSatisfy({ $0 <= $1 }) else { return nil }
        // Every index that the rows compute is below `bytesNeeded`, which was worked out from the same layout.
        let sums = unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe third.withUnsafeBytes { third in
                    unsafe self.sums([first.baseAddress, second.baseAddress, third.baseAddress])
                }
            }
        }
        let scale = Double(rect.width) * Double(rect.height) * Conversion.unit
        return RGB(r: Double(sums.r) / scale, g: Double(sums.g) / scale, b: Double(sums.b) / scale)
    }

    private func sums(_ buffers: [UnsafeRawPointer?]) -> ChannelSums {
        if layout.format.model == .hsv { return unsafe hueSums(buffers) }
        let isWholeByte = layout.format.components.allSatisfy { $0.bits == 8 }
        switch layout.format.word {
        case .byte where isWholeByte: return unsafe tableSums(buffers, as: WholeByte.self)
        case .byte: return unsafe tableSums(buffers, as: PartOfByte.self)
        case .littleEndian16: return unsafe tableSums(buffers, as: LittleEndian16.self)
        case .bigEndian16: return unsafe tableSums(buffers, as: BigEndian16.self)
        }
    }

    /// Sums by table, for all models whose channels are sums over components.
    private func tableSums<Sample: SampleWord>(_ buffers: [UnsafeRawPointer?], as type: Sample.Type) -> ChannelSums {
        var sums = ChannelSums()
        let end = rect.x + rect.width
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(buffers, row: y, as: type)
            switch unsafe rows.count {
            case 1: unsafe sums.add(rows[0], rect.x..<end)
            case 3: unsafe sums.add(rows[0], rows[1], rows[2], rect.x..<end)
            default: unsafe sums.add(rows, rect.x..<end)
            }
        }
        return sums
    }

    private func hueSums(_ buffers: [UnsafeRawPointer?]) -> ChannelSums {
        let hue = HueConversion(layout.encoding.hue)
        var sums = ChannelSums()
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(buffers, row: y, as: WholeByte.self)
            for x in rect.x..<rect.x + rect.width {
                sums.add(unsafe hue.pixel(h: rows[0].code(x), s: rows[1].code(x), v: rows[2].code(x)))
            }
        }
        return sums
    }

    private func sampleRows<Sample: SampleWord>(
        _ buffers: [UnsafeRawPointer?], row: Int, as type: Sample.Type
    ) -> [SampleRow<Sample>] {
        unsafe zip(layout.format.components, conversion.entries).compactMap { component, entries in
            let buffer = layout.format.planes[component.plane].buffer
            return unsafe buffers[buffer].map { base in
                unsafe SampleRow(
                    start: base + layout.start(of: component, row: row), component: component, entries: entries)
            }
        }
    }
}
