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
        // Every index that the rows compute is below `bytesNeeded`, which was worked out from the same layout.
        let sums = unsafe bytes.withUnsafeBytes { samples in
            unsafe conversion.entries.withUnsafeBufferPointer { entries in
                unsafe self.sums(samples, entries)
            }
        }
        let scale = Double(rect.width) * Double(rect.height) * Conversion.unit
        return RGB(r: Double(sums.r) / scale, g: Double(sums.g) / scale, b: Double(sums.b) / scale)
    }

    private func sums(_ samples: UnsafeRawBufferPointer, _ entries: UnsafeBufferPointer<UInt64>) -> ChannelSums {
        guard let base = unsafe samples.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let entries = entries.baseAddress
        else { return ChannelSums() }
        var sums = ChannelSums()
        let components = layout.format.components
        for y in rect.y..<rect.y + rect.height {
            let lanes = unsafe components.enumerated().map { index, component in
                let row = layout.start(ofPlane: component.plane) + (y >> component.yShift) * layout.bytesPerLine
                return unsafe SampleRow(
                    samples: base + row + component.offset, step: component.step, xShift: component.xShift,
                    entries: entries + 256 * index)
            }
            if unsafe lanes.count == 3 {
                unsafe Self.add(lanes[0], lanes[1], lanes[2], from: rect.x, count: rect.width, to: &sums)
            } else {
                unsafe Self.add(lanes[0], from: rect.x, count: rect.width, to: &sums)
            }
        }
        return sums
    }

    /// A row of three components, of which the first is not subsampled.
    private static func add(
        _ first: SampleRow, _ second: SampleRow, _ third: SampleRow, from start: Int, count: Int,
        to sums: inout ChannelSums
    ) {
        let end = start + count
        var x = start
        let sharesPairs = unsafe second.xShift == 1 && third.xShift == 1
        // Groups of four begin at an even pixel, where pairs begin.
        if x % 2 == 1 {
            sums.add(unsafe first[x] &+ second[x] &+ third[x])
            x += 1
        }
        while x + 4 <= end {
            let shared = unsafe second[x] &+ third[x]
            let next = unsafe sharesPairs ? shared : second[x + 1] &+ third[x + 1]
            let shared2 = unsafe second[x + 2] &+ third[x + 2]
            let next2 = unsafe sharesPairs ? shared2 : second[x + 3] &+ third[x + 3]
            unsafe sums.add(
                first[x] &+ shared, first[x + 1] &+ next, first[x + 2] &+ shared2, first[x + 3] &+ next2)
            x += 4
        }
        while x < end {
            sums.add(unsafe first[x] &+ second[x] &+ third[x])
            x += 1
        }
    }

    /// A row of a grey picture.
    private static func add(_ only: SampleRow, from start: Int, count: Int, to sums: inout ChannelSums) {
        var x = start
        while x + 4 <= start + count {
            unsafe sums.add(only[x], only[x + 1], only[x + 2], only[x + 3])
            x += 4
        }
        while x < start + count {
            sums.add(unsafe only[x])
            x += 1
        }
    }
}

/// One component's samples in one row of pixels, seen through the conversion's table.
@unsafe private struct SampleRow {
    let samples: UnsafePointer<UInt8>
    let step: Int
    let xShift: Int
    let entries: UnsafePointer<UInt64>

    /// What the component adds to pixel `x`.
    @inline(__always)
    subscript(x: Int) -> UInt64 { unsafe entries[Int(samples[(x &>> xShift) &* step])] }
}
