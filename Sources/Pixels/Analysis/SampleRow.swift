/// One component's samples in one row of pixels, converted by the table.
///
/// It is valid as long as the picture's bytes and the table are. Its creator guarantees that the row lies within them.
@unsafe struct SampleRow<Sample: SampleWord> {
    /// The start of the row.
    var row: UnsafeRawPointer
    private let offset: Int
    private let step: Int
    private let lastSample: Int
    private let shift: UInt
    private let mask: UInt
    /// The table entries, one for every code value that the mask allows.
    private let entries: UnsafePointer<UInt64>
    let xShift: Int

    init(row: UnsafeRawPointer, component: PixelFormat.Component, lastSample: Int, entries: UnsafePointer<UInt64>) {
        unsafe self.row = unsafe row
        unsafe offset = component.offset
        unsafe step = component.step
        unsafe self.lastSample = lastSample
        unsafe shift = UInt(component.shift)
        unsafe mask = (1 << UInt(component.bits)) - 1
        unsafe self.entries = unsafe entries
        unsafe xShift = component.xShift
    }

    /// Returns the position of the sample of pixel `x` in the row, which is the same in every row.
    @inline(__always)
    func position(_ x: Int) -> Int { unsafe offset &+ min(x &>> xShift, lastSample) &* step }

    /// Returns the code value of pixel `x`.
    @inline(__always)
    func code(_ x: Int) -> Int { unsafe Sample.load(row, at: position(x), shift: shift, mask: mask) }

    /// The component's share of the pixel whose sample is at a position.
    @inline(__always)
    subscript(position position: Int) -> UInt64 {
        unsafe entries[Sample.load(row, at: position, shift: shift, mask: mask)]
    }

    /// The component's share of pixel `x`.
    @inline(__always)
    subscript(x: Int) -> UInt64 { unsafe entries[code(x)] }
}

extension SampleRow {
    /// Sets the colours of the cells of a mosaic that follow one another.
    /// - Parameter rows: The four samples of a cell, from left to right and from top to bottom.
    static func fill(_ cells: UnsafeMutableBufferPointer<UInt64>, from rows: [SampleRow], firstCell: Int) {
        let (first, second, third, fourth) = unsafe (rows[0], rows[1], rows[2], rows[3])
        let lastPair = unsafe min(firstCell + cells.count - 2, first.lastSample - 1, second.lastSample - 1)
        var cell = firstCell
        while cell < firstCell + cells.count {
            let index = cell - firstCell
            if cell % 2 == 0, cell <= lastPair {
                // Two cells have four samples in each row.
                let (top, bottom) = unsafe (first.four(cell), third.four(cell))
                unsafe cells[index] =
                    first.entries[top.0] &+ second.entries[top.1] &+ third.entries[bottom.0]
                    &+ fourth.entries[bottom.1]
                unsafe cells[index + 1] =
                    first.entries[top.2] &+ second.entries[top.3] &+ third.entries[bottom.2]
                    &+ fourth.entries[bottom.3]
                cell += 2
            } else {
                let x = 2 * cell
                unsafe cells[index] = first[x] &+ second[x] &+ third[x] &+ fourth[x]
                cell += 1
            }
        }
    }

    /// Returns the code values of two cells in one row of samples.
    @inline(__always)
    private func four(_ cell: Int) -> (Int, Int, Int, Int) {
        unsafe Sample.loadFour(row, at: offset &+ cell &* step, step: step / 2, shift: shift, mask: mask)
    }
}

extension PixelSink {
    /// Takes a row of a grey picture.
    mutating func take<Sample>(_ only: SampleRow<Sample>, _ columns: Range<Int>) {
        var x = columns.lowerBound
        while x + 4 <= columns.upperBound {
            unsafe take(only[x], only[x + 1], only[x + 2], only[x + 3])
            x += 4
        }
        while x < columns.upperBound {
            unsafe take(only[x])
            x += 1
        }
    }

    /// Takes a row of three components, of which the first is not subsampled.
    mutating func take<Sample>(
        _ first: SampleRow<Sample>, _ second: SampleRow<Sample>, _ third: SampleRow<Sample>, _ columns: Range<Int>
    ) {
        let (end, sharesPairs) = unsafe (columns.upperBound, second.xShift > 0 && third.xShift > 0)
        var x = columns.lowerBound
        // Groups of four begin at an even pixel, as pairs do.
        if x % 2 == 1 {
            unsafe take(first[x] &+ second[x] &+ third[x])
            x += 1
        }
        while x + 4 <= end {
            let pair0 = unsafe second[x] &+ third[x]
            let pair1 = unsafe sharesPairs ? pair0 : second[x + 1] &+ third[x + 1]
            let pair2 = unsafe second[x + 2] &+ third[x + 2]
            let pair3 = unsafe sharesPairs ? pair2 : second[x + 3] &+ third[x + 3]
            unsafe take(first[x] &+ pair0, first[x + 1] &+ pair1, first[x + 2] &+ pair2, first[x + 3] &+ pair3)
            x += 4
        }
        while x < end {
            unsafe take(first[x] &+ second[x] &+ third[x])
            x += 1
        }
    }

    /// Takes the pixels of a row of three components whose samples are at the given positions.
    mutating func take<Sample>(
        _ first: SampleRow<Sample>, _ second: SampleRow<Sample>, _ third: SampleRow<Sample>,
        at positions: UnsafeBufferPointer<(Int, Int, Int)>
    ) {
        take(positions.count) { index in
            let (p0, p1, p2) = unsafe positions[index]
            return unsafe first[position: p0] &+ second[position: p1] &+ third[position: p2]
        }
    }

    /// Takes the given columns of a row of any number of components.
    mutating func take<Sample>(_ rows: [SampleRow<Sample>], _ columns: StrideTo<Int>) {
        for x in columns {
            take(unsafe rows.reduce(0) { unsafe $0 &+ $1[x] })
        }
    }

    /// Takes a row of a mosaic.
    /// - Parameter cells: The colours of the cells that the columns touch.
    mutating func take(cells: UnsafeBufferPointer<UInt64>, _ columns: Range<Int>) {
        var (x, cell) = (columns.lowerBound, 0)
        if x % 2 == 1 {
            unsafe take(cells[0])
            (x, cell) = (x + 1, 1)
        }
        while x + 4 <= columns.upperBound {
            let (left, right) = unsafe (cells[cell], cells[cell + 1])
            take(left, left, right, right)
            (x, cell) = (x + 4, cell + 2)
        }
        while x < columns.upperBound {
            unsafe take(cells[cell])
            x += 1
            cell += x % 2 == 0 ? 1 : 0
        }
    }
}
