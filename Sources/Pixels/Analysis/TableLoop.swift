/// A loop that decodes pixels of any format by table.
struct TableLoop: Sendable {
    private let conversion: ConversionTable

    init(_ layout: PictureLayout) {
        conversion = ConversionTable(layout.format, encoding: layout.encoding)
    }

    /// Passes every pixel of the picture's rectangle to a sink.
    func pass(_ picture: PictureBytes, to sink: inout some PixelSink) {
        unsafe pass(picture, on: PixelGrid(everyPixelOf: picture.rect), to: &sink)
    }

    /// Passes the pixels of a grid to a sink. The grid must lie in the picture's rectangle.
    func pass(_ picture: PictureBytes, on grid: PixelGrid, to sink: inout some PixelSink) {
        let format = unsafe picture.layout.format
        let isWholeByte = format.components.allSatisfy { $0.bits == 8 }
        unsafe conversion.entries.withUnsafeBufferPointer { entries in
            guard let entries = entries.baseAddress else { return }
            switch format.word {
            case _ where format.model == .hsv: unsafe passHues(picture, grid, entries, to: &sink)
            case .byte where isWholeByte: unsafe pass(picture, grid, entries, as: WholeByte.self, to: &sink)
            case .byte: unsafe pass(picture, grid, entries, as: PartOfByte.self, to: &sink)
            case .littleEndian16: unsafe pass(picture, grid, entries, as: LittleEndian16.self, to: &sink)
            case .bigEndian16: unsafe pass(picture, grid, entries, as: BigEndian16.self, to: &sink)
            case .packed10: unsafe pass(picture, grid, entries, as: Packed10.self, to: &sink)
            case .packed12: unsafe pass(picture, grid, entries, as: Packed12.self, to: &sink)
            case .packed14: unsafe pass(picture, grid, entries, as: Packed14.self, to: &sink)
            }
        }
    }

    /// Passes the pixels of a model whose channels are sums over the components.
    private func pass<Sample: SampleWord>(
        _ picture: PictureBytes, _ grid: PixelGrid, _ entries: UnsafePointer<UInt64>, as type: Sample.Type,
        to sink: inout some PixelSink
    ) {
        if grid.xStep == 1, unsafe picture.layout.format.isMosaic {
            unsafe passCells(picture, grid, entries, as: type, to: &sink)
            return
        }
        if unsafe picture.extents.count == 3, grid.count <= PixelGrid.maxPixelsReadInFull {
            unsafe passThree(picture, grid, entries, as: type, to: &sink)
            return
        }
        var rows = unsafe sampleRows(picture, row: grid.rect.y, entries, as: type)
        for y in grid.rows {
            for index in unsafe rows.indices { unsafe rows[index].row = picture.row(y, ofComponent: index) }
            switch unsafe rows.count {
            case 1 where grid.xStep == 1: unsafe sink.take(rows[0], grid.allColumns)
            case 3: unsafe sink.take(rows[0], rows[1], rows[2], grid.allColumns)
            default: unsafe sink.take(rows, grid.columns)
            }
        }
    }

    /// Passes pixels of three components. Positions are found only once: they are the same in every row, and finding a
    /// sample takes longer than converting it. For a whole picture, the list would take longer than it saves.
    private func passThree<Sample: SampleWord>(
        _ picture: PictureBytes, _ grid: PixelGrid, _ entries: UnsafePointer<UInt64>, as type: Sample.Type,
        to sink: inout some PixelSink
    ) {
        func samples(_ index: Int) -> SampleRow<Sample> {
            unsafe sampleRow(picture, row: grid.rect.y, ofComponent: index, entries)
        }
        // An array would take longer than the samples of some rows.
        var rows = unsafe (samples(0), samples(1), samples(2))
        unsafe withUnsafeTemporaryAllocation(of: (Int, Int, Int).self, capacity: grid.columnCount) { positions in
            for (index, x) in grid.columns.enumerated() {
                unsafe positions[index] = (rows.0.position(x), rows.1.position(x), rows.2.position(x))
            }
            for y in grid.rows {
                unsafe rows.0.row = picture.row(y, ofComponent: 0)
                unsafe rows.1.row = picture.row(y, ofComponent: 1)
                unsafe rows.2.row = picture.row(y, ofComponent: 2)
                unsafe sink.take(rows.0, rows.1, rows.2, at: UnsafeBufferPointer(positions))
            }
        }
    }

    /// Passes the pixels of a mosaic. The colour of a cell is found once for its four pixels.
    private func passCells<Sample: SampleWord>(
        _ picture: PictureBytes, _ grid: PixelGrid, _ entries: UnsafePointer<UInt64>, as type: Sample.Type,
        to sink: inout some PixelSink
    ) {
        let columns = grid.allColumns
        let firstCell = columns.lowerBound / 2
        let cellCount = (columns.upperBound + 1) / 2 - firstCell
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: cellCount) { cells in
            var cellRow = -1
            for y in grid.rows {
                if y / 2 != cellRow {
                    cellRow = y / 2
                    let rows = unsafe sampleRows(picture, row: y, entries, as: type)
                    unsafe SampleRow.fill(cells, from: rows, firstCell: firstCell)
                }
                unsafe sink.take(cells: UnsafeBufferPointer(cells), columns)
            }
        }
    }

    private func passHues(
        _ picture: PictureBytes, _ grid: PixelGrid, _ entries: UnsafePointer<UInt64>, to sink: inout some PixelSink
    ) {
        let hue = unsafe HueConversionTable(picture.layout.encoding.hueScale)
        for y in grid.rows {
            let rows = unsafe sampleRows(picture, row: y, entries, as: WholeByte.self)
            for x in grid.columns {
                sink.take(unsafe hue.pixel(h: rows[0].code(x), s: rows[1].code(x), v: rows[2].code(x)))
            }
        }
    }

    private func sampleRows<Sample: SampleWord>(
        _ picture: PictureBytes, row: Int, _ entries: UnsafePointer<UInt64>, as type: Sample.Type
    ) -> [SampleRow<Sample>] {
        unsafe picture.extents.indices.map { unsafe sampleRow(picture, row: row, ofComponent: $0, entries) }
    }

    @inline(__always)
    private func sampleRow<Sample: SampleWord>(
        _ picture: PictureBytes, row: Int, ofComponent index: Int, _ entries: UnsafePointer<UInt64>
    ) -> SampleRow<Sample> {
        unsafe SampleRow(
            row: picture.row(row, ofComponent: index), component: picture.layout.format.components[index],
            lastSample: picture.extents[index].lastSample, entries: entries + conversion.starts[index])
    }
}
