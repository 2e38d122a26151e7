public import Color

/// A reader of the colours of a region of a picture: their mean and, on request, statistics.
///
/// The mean is taken over every pixel of the region, from its R'G'B' on the 8-bit scale. Each channel of each pixel is
/// first clamped to 0...255: a colour that no display can show counts as the colour that a display would show instead.
/// Sums are whole numbers, so the sums of a region's parts add up exactly to that of the whole.
///
/// For 8-bit formats, ``ByteLoop`` and ``MatrixLoop`` add the bytes of pixels that need no clamping, and decode the
/// sums. All other formats, and all formats if light is averaged, are decoded by ``TableLoop``, which also reads the
/// pixels for light and statistics. Analysers of several regions share their tables.
public struct Analyser: Sendable {
    /// The layout of the pictures.
    public var layout: PictureLayout { access.layout }
    /// The rectangle of the region, in pixels of the picture.
    public var rect: PixelRect { access.rect }
    private var access: PictureAccess
    private let loop: Loop
    let tableLoop: TableLoop
    private var grid: PixelGrid
    private var blocks: PixelBlocks
    private var ellipse: Ellipse?

    private enum Loop {
        case bytes(ByteLoop)
        case matrix(MatrixLoop)
        case tables
        case light
    }

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the layout cannot be read, because a row is longer than its stride, a buffer is too small, or
    ///   there are no pixels.
    public init?(layout: PictureLayout, region: Region, average: Average = .srgb) {
        let rect = region.pixels(width: layout.width, height: layout.height)
        guard let access = PictureAccess(layout: layout, rect: rect) else { return nil }
        self.access = access
        grid = PixelGrid(samplesOf: rect)
        blocks = PixelBlocks(grid, in: nil)
        tableLoop = TableLoop(layout)
        if average == .linear {
            loop = .light
        } else if let bytes = ByteLoop(layout) {
            loop = .bytes(bytes)
        } else if let matrix = MatrixLoop(layout) {
            loop = .matrix(matrix)
        } else {
            loop = .tables
        }
    }

    /// Returns an analyser of another area of the same pictures, which shares the tables of this one.
    /// - Parameter count: The number of such areas, which share the number of pixels from which statistics are taken.
    /// - Returns: Nil if the layout cannot be read.
    public func reading(_ area: Area, oneOf count: Int) -> Analyser? {
        let rect = area.region.pixels(width: layout.width, height: layout.height)
        guard let access = PictureAccess(layout: layout, rect: rect) else { return nil }
        var other = self
        other.access = access
        other.grid = PixelGrid(samplesOf: rect, sharedBy: count)
        if area.shape == .ellipse {
            other.ellipse = Ellipse(in: area.region, width: layout.width, height: layout.height)
        }
        other.blocks = PixelBlocks(other.grid, in: other.ellipse)
        return other
    }

    /// Returns the mean colour; see ``sums(of:_:_:)``.
    public func mean(of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()) -> RGB? {
        sums(of: first, second, third)?.mean
    }

    /// Returns the sums of the colours of the region's pixels.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    /// - Returns: Nil if bytes are missing: the picture is damaged.
    public func sums(
        of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()
    ) -> PictureSums? {
        unsafe access.withBytes(first, second, third) { unsafe sums($0) }
    }

    /// Returns the sums of the region's pixels, their light, and if wanted, the distribution of their colours.
    /// - Parameters:
    ///   - first: The first buffer of the picture.
    ///   - second: The second, if the format has one.
    ///   - third: The third, if the format has one.
    ///   - withStatistics: Whether statistics are wanted.
    ///   - table: The targets whose coverage is wanted with them; nil if there is none.
    /// - Returns: Nil if bytes are missing: the picture is damaged.
    public func colors(
        of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan(), withStatistics: Bool,
        coverage table: CoverageTable? = nil
    ) -> RegionColors? {
        unsafe access.withBytes(first, second, third) { picture in
            let sums = unsafe sums(picture)
            let light = sums.linear == nil ? nil : sums
            guard withStatistics, let tally = unsafe tally(picture, table) else {
                return RegionColors(sums: sums, light: unsafe light ?? lightOfGrid(picture))
            }
            return RegionColors(
                sums: sums, light: light ?? tally.light, statistics: tally.statistics, coverage: tally.coverage)
        }
    }

    private func tally(_ picture: PictureBytes, _ table: CoverageTable?) -> PixelTally.Result? {
        PixelTally.statistics(ofPixels: grid.count, in: blocks, regionPixels: pixelCount, coverage: table) { sink in
            unsafe tableLoop.pass(picture, on: grid, to: &sink)
        }
    }

    private var pixelCount: Int { ellipse?.pixelCount ?? rect.width * rect.height }

    private func lightOfGrid(_ picture: PictureBytes) -> PictureSums {
        if !blocks.isFull, let tally = unsafe tally(picture, nil) { return tally.light }
        return LightSums.sums(ofPixels: grid.count) { sink in unsafe tableLoop.pass(picture, on: grid, to: &sink) }
    }

    private func sums(_ picture: PictureBytes) -> PictureSums {
        if let ellipse { return unsafe sums(picture, ellipse) }
        let pixels = rect.width * rect.height
        switch loop {
        case .bytes(let loop): return unsafe loop.sums(of: picture)
        case .matrix(let loop): return unsafe loop.sums(of: picture)
        case .tables:
            var sums = ChannelSums()
            unsafe tableLoop.pass(picture, to: &sums)
            return PictureSums(sums.totals, pixels: pixels, unit: .codeValues(perUnit: 1 / ConversionTable.unit))
        case .light:
            return LightSums.sums(ofPixels: pixels) { sink in unsafe tableLoop.pass(picture, to: &sink) }
        }
    }

    private func sums(_ picture: PictureBytes, _ ellipse: Ellipse) -> PictureSums {
        func pass(to sink: inout some PixelSink) {
            for part in ellipse.parts { unsafe tableLoop.pass(picture, on: PixelGrid(everyPixelOf: part), to: &sink) }
        }
        if case .light = loop { return LightSums.sums(ofPixels: ellipse.pixelCount) { pass(to: &$0) } }
        var sums = ChannelSums()
        pass(to: &sums)
        return PictureSums(
            sums.totals, pixels: ellipse.pixelCount, unit: .codeValues(perUnit: 1 / ConversionTable.unit))
    }
}

/// The colours that are read from a region of one picture.
public struct RegionColors: Sendable {
    /// The sums from which the mean is taken.
    public var sums: PictureSums
    /// The sums of light: those of every pixel if these are averaged, otherwise those of the grid from which statistics
    /// are taken, because adding up the light of every pixel takes many times as long as adding up code values.
    public var light: PictureSums
    /// The distribution of the colours; nil unless it was asked for.
    public var statistics: RegionStatistics?
    /// The coverage of each target; empty unless it was asked for.
    public var coverage: [Coverage] = []
}

/// The quantity that is averaged.
public enum Average: String, CaseIterable, Sendable {
    /// The code values of sRGB that pictures consist of; most programs call their mean the mean colour.
    case srgb
    /// The light that they represent; its mean is what a camera out of focus would see.
    case linear
}
