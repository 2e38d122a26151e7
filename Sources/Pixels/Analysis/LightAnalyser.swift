public import Color

/// What one picture shows of a light.
public struct LightFrame: Equatable, Sendable {
    /// The mean luminance of the area above that of the room, in linear light.
    public var level: Double
    /// The light of the room: that of the darker pixels around the area.
    public var room: LinearRGB
    /// The mean light above the room of the pixels that are bright but not overexposed; nil if there are too few.
    public var glow: LinearRGB?

    /// Creates a frame from the given values, unchecked.
    public init(level: Double, room: LinearRGB, glow: LinearRGB?) {
        (self.level, self.room, self.glow) = (level, room, glow)
    }
}

/// A reader of what pictures of one layout show of a light, which reads every frame.
///
/// The room's light is taken from around the area, from its lower quartile: a light that fills its area leaves no dark
/// pixel in it, and a light beside it is brighter than the quartile.
public struct LightAnalyser: Sendable {
    /// The margin around the area, as a share of its width and height.
    private static let margin = 1.0
    /// The quantile of the pixels around the area that is taken for the room.
    private static let quantile = 0.25
    /// The number of bins for the square roots of luminances, and how many beside that of the quantile count as equal.
    private static let (binCount, tolerance) = (256, 2)
    /// The minimum number of pixels around the area. With fewer, those of the area itself are taken.
    private static let minSurroundings = 16
    /// The share of the brightest unclipped level that belongs to the glow (ours).
    private static let glowShare = 0.2
    /// The minimum number of pixels of a glow.
    private static let minGlow = 4
    /// The first value that counts as clipped, in the units of the table: 250 of 255, because compression changes those of
    /// an overexposed core by some.
    private static let clipped = UInt64(250 * ConversionTable.unit)

    private let access: PictureAccess
    private let loop: TableLoop
    private let grid: PixelGrid
    /// Whether each pixel of the grid is in the area.
    private let isInside: [Bool]
    private let insideCount: Int

    /// - Parameters:
    ///   - analyser: An analyser of the same pictures, whose tables are shared.
    ///   - count: The number of lights, which share the number of pixels that are read.
    /// - Returns: Nil if the layout cannot be read.
    public init?(_ area: Area, sharing analyser: Analyser, oneOf count: Int) {
        let (width, height) = (analyser.layout.width, analyser.layout.height)
        let region = area.region
        let (marginX, marginY) = (region.width * Self.margin, region.height * Self.margin)
        let around = Region(
            x: region.x - marginX, y: region.y - marginY, width: region.width + 2 * marginX,
            height: region.height + 2 * marginY
        ).pixels(width: width, height: height)
        guard let access = PictureAccess(layout: analyser.layout, rect: around) else { return nil }
        (self.access, loop) = (access, analyser.tableLoop)
        grid = PixelGrid(lightIn: around, sharedBy: count)
        let rect = region.pixels(width: width, height: height)
        let ellipse = area.shape == .ellipse ? Ellipse(in: region, width: width, height: height) : nil
        var isInside: [Bool] = []
        for y in grid.rows {
            let columns =
                ellipse?.columns(ofRow: y)
                ?? (rect.y..<rect.y + rect.height ~= y ? rect.x..<rect.x + rect.width : rect.x..<rect.x)
            isInside += grid.columns.map(columns.contains)
        }
        insideCount = isInside.count(where: \.self)
        // A grid of a large area may miss one that is a few pixels in size, but this one does not: it is a quarter.
        guard insideCount > 0 else { return nil }
        self.isInside = isInside
    }

    /// Reads a picture, given as one span for each buffer.
    /// - Returns: Nil if bytes are missing.
    public func frame(
        of first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()
    ) -> LightFrame? {
        unsafe access.withBytes(first, second, third) { picture in
            unsafe PixelTally.reading(
                ofPixels: grid.count, { sink in unsafe loop.pass(picture, on: grid, to: &sink) },
                { pixels in unsafe frame(of: pixels) })
        }
    }

    private func frame(of pixels: UnsafeMutableBufferPointer<UInt64>) -> LightFrame {
        let surroundingsCount = isInside.count - insideCount
        let roomIsInside = surroundingsCount < Self.minSurroundings
        var bins = [Int](repeating: 0, count: Self.binCount)
        var total = 0.0
        for (index, isInside) in zip(pixels.indices, isInside) {
            let luminance = unsafe Pixel(pixels[index]).luminance
            if isInside { total += luminance }
            if isInside == roomIsInside { bins[Self.bin(luminance)] += 1 }
        }
        let roomCount = roomIsInside ? insideCount : surroundingsCount
        var (quartile, below) = (0, bins[0])
        while Double(below) < Self.quantile * Double(roomCount), quartile < Self.binCount - 1 {
            quartile += 1
            below += bins[quartile]
        }
        let alike = quartile - Self.tolerance...quartile + Self.tolerance
        var room = Sum()
        for (index, isInside) in zip(pixels.indices, isInside) where isInside == roomIsInside {
            let pixel = unsafe Pixel(pixels[index])
            if alike ~= Self.bin(pixel.luminance) { room.add(pixel) }
        }
        let roomLight = room.mean ?? .zero
        let roomLuminance = roomLight.luminance
        return LightFrame(
            level: total / Double(insideCount) - roomLuminance, room: roomLight,
            glow: unsafe glow(of: pixels, above: roomLight, roomLuminance))
    }

    private func glow(
        of pixels: UnsafeMutableBufferPointer<UInt64>, above room: LinearRGB, _ luminance: Double
    ) -> LinearRGB? {
        var brightest = 0.0
        for (index, isInside) in zip(pixels.indices, isInside) where isInside {
            let pixel = unsafe Pixel(pixels[index])
            if !pixel.isClipped { brightest = max(brightest, pixel.luminance - luminance) }
        }
        guard brightest > 0 else { return nil }
        var glow = Sum()
        for (index, isInside) in zip(pixels.indices, isInside) where isInside {
            let pixel = unsafe Pixel(pixels[index])
            if !pixel.isClipped, pixel.luminance - luminance >= Self.glowShare * brightest { glow.add(pixel) }
        }
        guard glow.count >= Self.minGlow, let mean = glow.mean else { return nil }
        return LinearRGB(r: max(0, mean.r - room.r), g: max(0, mean.g - room.g), b: max(0, mean.b - room.b))
    }

    private static func bin(_ luminance: Double) -> Int {
        min(Int(luminance.squareRoot() * Double(binCount)), binCount - 1)
    }

    /// A pixel in linear light.
    private struct Pixel {
        private static let tableBits: UInt64 = 10
        /// The light of a channel by its upper bits.
        private static let table: [Double] = (0..<1 << tableBits).map {
            SRGB.linear((Double($0) + 0.5) / Double(1 << tableBits))
        }

        let (r, g, b): (Double, Double, Double)
        let isClipped: Bool

        var luminance: Double { 0.2126 * r + 0.7152 * g + 0.0722 * b }

        @inline(__always)
        init(_ pixel: UInt64) {
            let value = ConversionTable.clamped(pixel)
            let (mask, bits) = (ConversionTable.fieldMask, ConversionTable.fieldBits)
            let (red, green, blue) = (value & mask, value &>> bits & mask, value &>> (2 &* bits))
            isClipped = max(red, green, blue) >= LightAnalyser.clipped
            let shift = 18 - Self.tableBits
            (r, g, b) = (
                Self.table[Int(red &>> shift)], Self.table[Int(green &>> shift)], Self.table[Int(blue &>> shift)]
            )
        }
    }

    private struct Sum {
        private var light = LinearRGB.zero
        private(set) var count = 0

        mutating func add(_ pixel: Pixel) {
            light = light + LinearRGB(r: pixel.r, g: pixel.g, b: pixel.b)
            count += 1
        }

        var mean: LinearRGB? { count > 0 ? light / Double(count) : nil }
    }
}
