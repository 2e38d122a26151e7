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
    private let average: Average

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the layout is none that can be read (a row longer than its stride, no pixels).
    public init?(layout: PictureLayout, region: Region, average: Average = .srgb) {
        let rect = region.pixels(width: layout.width, height: layout.height)
        guard let bytesNeeded = layout.bytesNeeded(for: rect) else { return nil }
        self.layout = layout
        self.rect = rect
        self.bytesNeeded = bytesNeeded
        self.average = average
        conversion = Conversion(layout.format, encoding: layout.encoding)
    }

    /// The mean colour; see ``sums(of:_:_:)``.
    public func mean(of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()) -> RGB? {
        sums(of: first, second, third)?.mean
    }

    /// The colours of the region's pixels, added up.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    /// - Returns: Nil if bytes are missing: the picture is damaged.
    public func sums(
        of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()
    ) -> PictureSums? {
        let counts = [first.byteCount, second.byteCount, third.byteCount]
        guard zip(bytesNeeded, counts).allSatisfy({ $0 <= $1 }) else { return nil }
        // Every index that the rows compute is below `bytesNeeded`, which was worked out from the same layout.
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe third.withUnsafeBytes { third in
                    unsafe self.sums([first.baseAddress, second.baseAddress, third.baseAddress])
                }
            }
        }
    }

    private func sums(_ buffers: [UnsafeRawPointer?]) -> PictureSums {
        let pixels = rect.width * rect.height
        switch average {
        case .srgb:
            var sums = ChannelSums()
            unsafe add(buffers, to: &sums)
            return PictureSums(sums, pixels: pixels, average: average)
        case .linear:
            var sums = LightSums()
            unsafe add(buffers, to: &sums)
            return PictureSums(sums, pixels: pixels, average: average)
        }
    }

    private func add(_ buffers: [UnsafeRawPointer?], to sums: inout some PixelSums) {
        let isWholeByte = layout.format.components.allSatisfy { $0.bits == 8 }
        switch layout.format.word {
        case _ where layout.format.model == .hsv: unsafe addHues(buffers, to: &sums)
        case .byte where isWholeByte: unsafe addRows(buffers, as: WholeByte.self, to: &sums)
        case .byte: unsafe addRows(buffers, as: PartOfByte.self, to: &sums)
        case .littleEndian16: unsafe addRows(buffers, as: LittleEndian16.self, to: &sums)
        case .bigEndian16: unsafe addRows(buffers, as: BigEndian16.self, to: &sums)
        }
    }

    /// By table: for all models whose channels are sums over components.
    private func addRows<Sample: SampleWord>(
        _ buffers: [UnsafeRawPointer?], as type: Sample.Type, to sums: inout some PixelSums
    ) {
        let columns = rect.x..<rect.x + rect.width
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(buffers, row: y, as: type)
            switch unsafe rows.count {
            case 1: unsafe sums.add(rows[0], columns)
            case 3: unsafe sums.add(rows[0], rows[1], rows[2], columns)
            default: unsafe sums.add(rows, columns)
            }
        }
    }

    private func addHues(_ buffers: [UnsafeRawPointer?], to sums: inout some PixelSums) {
        let hue = HueConversion(layout.encoding.hue)
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(buffers, row: y, as: WholeByte.self)
            for x in rect.x..<rect.x + rect.width {
                sums.add(unsafe hue.pixel(h: rows[0].code(x), s: rows[1].code(x), v: rows[2].code(x)))
            }
        }
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
