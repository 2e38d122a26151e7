public import Color
import Glibc

/// The share of a region's pixels that lie within a target.
public struct Coverage: Equatable, Sendable {
    /// 0...1.
    public var share: Double
    /// Its standard error: from the differences of the blocks into which the region is divided, because neighbouring
    /// pixels are alike and their number says little; and from the table, which does not tell colours apart that are
    /// close together.
    public var standardError: Double

    /// Creates a coverage from the given values, unchecked.
    public init(share: Double, standardError: Double) { (self.share, self.standardError) = (share, standardError) }
}

/// The colours that lie within each of up to 64 targets, in cells of 4 x 4 x 4 code values.
///
/// A cell is computed when the first pixel falls into it. Most pictures have some thousand colours, so a picture costs a
/// look at the table for each pixel. It is used on one thread.
@safe public final class CoverageTable {
    /// What holds for the colours of a cell, one bit for each target.
    public struct Cell {
        /// The targets that contain its middle.
        public var within: UInt64
        /// The targets that contain some of its colours but not all.
        public var mixed: UInt64

        /// Creates a cell, whose bits are numbered as the targets are, from the lowest.
        public init(within: UInt64, mixed: UInt64) { (self.within, self.mixed) = (within, mixed) }
    }

    /// The maximum number of targets.
    public static let maxTargets = UInt64.bitWidth
    private static let cellsPerSide = 64
    private static let cellCount = cellsPerSide * cellsPerSide * cellsPerSide
    /// The upper bits of a channel that number a cell.
    private static let cellShift: UInt64 = 12
    /// The standard deviation of a share of which nothing is known but its limits (JCGM 100:2008, 4.3.7).
    private static let uniformDeviation = 1 / 12.0.squareRoot()

    private let targetCount: Int
    private let find: (_ low: RGB, _ high: RGB) -> Cell
    /// The cells, whose memory is used only where colours are.
    private let cells: UnsafeMutablePointer<Cell>
    private var known = [UInt64](repeating: 0, count: cellCount / 64)

    /// - Parameters:
    ///   - targetCount: The number of targets, ``maxTargets`` at most.
    ///   - find: Returns what holds for the R'G'B' between two limits.
    /// - Returns: Nil if there is no target, or no memory.
    public init?(targetCount: Int, find: @escaping (_ low: RGB, _ high: RGB) -> Cell) {
        guard 1...Self.maxTargets ~= targetCount else { return nil }
        // Zeros from calloc take no memory until they are written.
        guard let room = unsafe calloc(Self.cellCount, MemoryLayout<Cell>.stride) else { return nil }
        (self.targetCount, self.find) = (targetCount, find)
        unsafe cells = unsafe room.bindMemory(to: Cell.self, capacity: Self.cellCount)
    }

    deinit { unsafe free(cells) }

    /// Returns the coverage of each target; empty if there is no pixel.
    /// - Parameter blocks: The block in which each pixel is.
    func coverage(of pixels: UnsafeMutableBufferPointer<UInt64>, in blocks: PixelBlocks) -> [Coverage] {
        let blockCount = PixelBlocks.count
        var totals = [Double](repeating: 0, count: blockCount)
        var within = [UInt32](repeating: 0, count: blockCount * targetCount)
        var mixed = [UInt32](repeating: 0, count: targetCount)
        var taken = 0
        /// Adds pixels of one cell in one block.
        func add(_ count: UInt32, of number: Int, in block: Int) {
            guard count > 0 else { return }
            let found = cell(number)
            taken += Int(count)
            totals[block] += Double(count)
            var bits = found.within
            while bits != 0 {
                within[bits.trailingZeroBitCount * blockCount + block] += count
                bits &= bits - 1
            }
            bits = found.mixed
            while bits != 0 {
                mixed[bits.trailingZeroBitCount] += count
                bits &= bits - 1
            }
        }
        // Neighbouring pixels are alike, so they are added together.
        var (number, block, count) = (0, PixelBlocks.outside, UInt32(0))
        for (index, nextBlock) in zip(pixels.indices, blocks.numbers) where nextBlock != PixelBlocks.outside {
            let next = Self.number(of: unsafe ConversionTable.clamped(pixels[index]))
            if next == number, nextBlock == block {
                count &+= 1
            } else {
                add(count, of: number, in: Int(block))
                (number, block, count) = (next, nextBlock, 1)
            }
        }
        add(count, of: number, in: Int(block))
        guard taken > 0 else { return [] }
        return (0..<targetCount).map { target in
            let counts = within[target * blockCount..<(target + 1) * blockCount]
            let share = Double(counts.reduce(0, +)) / Double(taken)
            // A ratio of sums over blocks of unequal size (W. G. Cochran, "Sampling Techniques", 3rd ed., 2.46).
            let used = totals.count { $0 > 0 }
            let squares = zip(counts, totals).reduce(0) { sum, block in
                let difference = Double(block.0) - share * block.1
                return sum + difference * difference
            }
            let variance = used > 1 ? squares * Double(used) / Double(used - 1) / Double(taken * taken) : 0
            let doubt = Double(mixed[target]) / Double(taken) * Self.uniformDeviation
            return Coverage(share: share, standardError: (variance + doubt * doubt).squareRoot())
        }
    }

    /// Returns the number of a pixel's cell: those along red, green and blue, which have 6 bits each.
    @inline(__always)
    private static func number(of pixel: UInt64) -> Int {
        let mask = UInt64(cellsPerSide - 1)
        let r = (pixel &>> cellShift) & mask
        let g = (pixel &>> (ConversionTable.fieldBits + cellShift)) & mask
        let b = (pixel &>> (2 * ConversionTable.fieldBits + cellShift)) & mask
        return Int((r &<< 12) | (g &<< 6) | b)
    }

    /// - Parameters: Code values of 0...255.
    @inline(__always)
    func cell(r: UInt32, g: UInt32, b: UInt32) -> Cell { cell(Int((r / 4) << 12 | (g / 4) << 6 | b / 4)) }

    @inline(__always)
    private func cell(_ index: Int) -> Cell {
        if known[index &>> 6] & (1 &<< UInt64(index & 63)) == 0 { compute(index) }
        // The number has 18 bits, as many as there are cells.
        return unsafe cells[index]
    }

    @inline(never)
    private func compute(_ index: Int) {
        let side = Double(1 << Self.cellShift) / ConversionTable.unit
        let (r, g, b) = (index >> 12, index >> 6 & 63, index & 63)
        func color(_ shift: Int) -> RGB {
            RGB(
                r: min(Double(r + shift) * side, 255), g: min(Double(g + shift) * side, 255),
                b: min(Double(b + shift) * side, 255))
        }
        unsafe cells[index] = find(color(0), color(1))
        known[index >> 6] |= 1 << UInt64(index & 63)
    }
}
