import CPixels

/// A loop that adds up pixels of 8-bit Y'CbCr.
///
/// It uses whole numbers, in units so small that a pixel is off by at most 0.002 of a code value. If no pixel of a run
/// needs clamping, the matrix is applied only once, to the sums of the run.
struct MatrixLoop: Sendable {
    /// The full scale of a channel: the largest power of two at which the sum of 64 pixels fits in 32 bits.
    private static let fullScale = Int32(1 << 25)
    private static let unit = Double(fullScale) / 255

    private let matrix: cpixels_matrix
    private let yShift: Int

    /// Prepares to read pictures of one layout.
    /// - Returns: Nil if the layout is not 8-bit Y'CbCr.
    init?(_ layout: PictureLayout) {
        let (format, components) = (layout.format, layout.format.components)
        guard format.word == .byte, format.model == .yCbCr, components.count == 3, components[0].xShift == 0,
            components.map(\.channel) == [0, 1, 2], components.allSatisfy({ $0.bits == 8 && (1...4) ~= $0.step }),
            components[1].step == components[2].step, components[1].xShift == components[2].xShift
        else { return nil }
        yShift = components[1].yShift
        let decoder = YCbCrDecoder(layout.encoding)
        func whole(_ value: Double) -> Int32 { Int32((value * Self.unit).rounded()) }
        let (y, rCr, gCb, gCr, bCb) = (
            whole(decoder.y), whole(decoder.rCr), whole(decoder.gCb), whole(decoder.gCr), whole(decoder.bCb)
        )
        let black = whole(decoder.y * decoder.black)
        let zero = Int32(YCbCrDecoder.chromaZero)
        matrix = cpixels_matrix(
            y: y, r_cr: rCr, g_cb: gCb, g_cr: gCr, b_cb: bCb, r_0: -black - zero * rCr,
            g_0: -black - zero * (gCb + gCr), b_0: -black - zero * bCb, white: Self.fullScale)
    }

    /// Returns the sums over the picture's rectangle.
    func sums(of picture: PictureBytes) -> PictureSums {
        let (rect, components) = unsafe (picture.rect, picture.layout.format.components)
        // The last columns may lack chroma of their own and then use their neighbour's.
        let shift = components[1].xShift
        let lastShared = unsafe (picture.layout.width - 1) >> shift
        let extents = unsafe picture.extents
        let lacking = (cb: lastShared - extents[1].lastSample, cr: lastShared - extents[2].lastSample)
        let all = rect.x..<rect.x + rect.width
        let firstLacking =
            lacking == (0, 0) ? all.upperBound : min(max(lastShared << shift, all.lowerBound), all.upperBound)
        var sums = cpixels_sums()
        unsafe add(all.lowerBound..<firstLacking, of: picture, chromaSamplesBack: (0, 0), to: &sums)
        unsafe add(firstLacking..<all.upperBound, of: picture, chromaSamplesBack: lacking, to: &sums)
        return PictureSums(
            (sums.r, sums.g, sums.b), pixels: rect.width * rect.height, unit: .codeValues(perUnit: 1 / Self.unit))
    }

    private func add(
        _ columns: Range<Int>, of picture: PictureBytes, chromaSamplesBack back: (cb: Int, cr: Int),
        to sums: inout cpixels_sums
    ) {
        guard !columns.isEmpty else { return }
        let (rect, components) = unsafe (picture.rect, picture.layout.format.components)
        var (matrix, checks) = (matrix, cpixels_checks())

        /// Returns the rows from `y` on, of which all but packed ones share chroma.
        func rows(_ y: Int, count: Int) -> cpixels_rows {
            let samples = { (index: Int, back: Int) in
                let component = components[index]
                return unsafe cpixels_samples(
                    first: (picture.row(y, ofComponent: index) + component.offset - back * component.step)
                        .assumingMemoryBound(to: UInt8.self),
                    step: Int32(component.step), shift: Int32(component.xShift))
            }
            let stride = count > 1 ? unsafe picture.row(y + 1, ofComponent: 0) - picture.row(y, ofComponent: 0) : 0
            return unsafe cpixels_rows(
                y: samples(0, 0), cb: samples(1, back.cb), cr: samples(2, back.cr), rows: Int32(count),
                y_stride: stride)
        }
        func add(_ columns: Range<Int>, rowsBetween start: Int, _ end: Int) {
            var y = start
            while y < end {
                // These rows share chroma.
                let next = min(((y >> yShift) + 1) << yShift, end)
                var shared = unsafe rows(y, count: next - y)
                unsafe cpixels_add_ycbcr(&shared, columns.lowerBound, columns.upperBound, &matrix, &checks, &sums)
                y = next
            }
        }

        let end = rect.y + rect.height
        // If the distance of rows is a multiple of a large power of two, few of them fit in the first-level cache.
        let stride = unsafe picture.layout.stride(ofPlane: 0)
        guard components[0].step == 2, yShift == 0, stride & -stride < 1024 else {
            return add(columns, rowsBetween: rect.y, end)
        }
        let bands = (rect.height + Int(CPIXELS_BAND) - 1) / Int(CPIXELS_BAND)
        for band in 0..<bands {
            let (y, next) = (rect.y + rect.height * band / bands, rect.y + rect.height * (band + 1) / bands)
            var shared = unsafe rows(y, count: next - y)
            let isPacked = unsafe cpixels_add_packed(
                &shared, columns.lowerBound, columns.upperBound, &matrix, &checks, &sums)
            if !isPacked { add(columns, rowsBetween: y, next) }
        }
    }
}
