/// The mapping of an oriented plane's samples to their origin in memory, with all unsafe code of orientation.
struct PlaneRotation {
    /// The number of columns in the oriented plane.
    let columns: Int
    /// The number of rows in the oriented plane.
    let rows: Int
    private let width: Int
    private let height: Int
    private let swapsSides: Bool
    /// Whether a row of the oriented plane corresponds to reading the source from right to left or from bottom to top.
    private let rowIsBackward: Bool
    /// Whether a column of the oriented plane corresponds to reading the source in such a direction.
    private let columnIsBackward: Bool

    /// The number of samples along a side of the blocks that are copied when rows become columns. They are small enough
    /// that the rows being read and written stay in the first-level cache, whatever their length.
    private static let block = 32

    /// Prepares the mapping for a plane with the size that the camera sends.
    init(_ orientation: Orientation, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        swapsSides = orientation.swapsSides
        (columns, rows) = swapsSides ? (height, width) : (width, height)
        let isBackward = orientation.rotation == .degrees90 || orientation.rotation == .degrees180
        rowIsBackward = isBackward != orientation.isMirrored
        columnIsBackward = orientation.rotation == .degrees180 || orientation.rotation == .degrees270
    }

    /// Copies a plane.
    /// - Parameters:
    ///   - source: The plane as the camera sends it.
    ///   - type: The type of a sample.
    ///   - sourceStride: The distance between two rows of the source, in samples.
    ///   - target: Receives the oriented plane. Nothing is copied if either plane has too few bytes.
    ///   - targetStride: The distance between two rows of the target, in samples.
    func copy<Sample: BitwiseCopyable>(
        _ source: [UInt8], as type: Sample.Type, perLine sourceStride: Int, into target: inout [UInt8],
        perLine targetStride: Int
    ) {
        guard width > 0, height > 0, sourceStride >= width, targetStride >= columns,
            source.count >= sourceStride * height * MemoryLayout<Sample>.size,
            target.count >= targetStride * rows * MemoryLayout<Sample>.size
        else { return }
        // The distances in the source that correspond to the next column and the next row of the oriented plane.
        let across = (swapsSides ? sourceStride : 1) * (rowIsBackward ? -1 : 1)
        let down = (swapsSides ? 1 : sourceStride) * (columnIsBackward ? -1 : 1)
        let first = (rowIsBackward ? -across * (columns - 1) : 0) + (columnIsBackward ? -down * (rows - 1) : 0)
        unsafe source.withUnsafeBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                let size = MemoryLayout<Sample>.size
                let strided = unsafe StridedCopy<Sample>(source: source + first * size, across: across, target: target)
                for top in stride(from: 0, to: rows, by: Self.block) {
                    // Columns are divided into blocks only if rows become columns.
                    for left in stride(from: 0, to: columns, by: swapsSides ? Self.block : columns) {
                        let end = swapsSides ? min(left + Self.block, columns) : columns
                        for row in top..<min(top + Self.block, rows) {
                            unsafe strided.copy(left..<end, from: row * down, to: row * targetStride)
                        }
                    }
                }
            }
        }
    }
}

/// A copy that reads its source with a stride, valid while both planes' bytes are lent.
@unsafe private struct StridedCopy<Sample: BitwiseCopyable> {
    /// The sample that moves to the top left.
    let source: UnsafeRawPointer
    /// The distance from a sample to the one for the next column of the oriented plane.
    let across: Int
    let target: UnsafeMutableRawPointer

    /// Copies some columns of a row.
    /// - Parameters:
    ///   - sourceOffset: The offset of the row in the source, in samples.
    ///   - targetOffset: The offset of the row in the target, in samples.
    @inline(__always)
    func copy(_ columns: Range<Int>, from sourceOffset: Int, to targetOffset: Int) {
        let size = MemoryLayout<Sample>.size
        let from = unsafe source + (sourceOffset + columns.lowerBound * across) * size
        let to = unsafe target + (targetOffset + columns.lowerBound) * size
        switch unsafe across {
        case 1: unsafe to.copyMemory(from: from, byteCount: columns.count * size)
        case -1: unsafe Self.copyBackward(columns.count, from: from, to: to)
        default:
            for index in 0..<columns.count {
                let sample = unsafe from.loadUnaligned(fromByteOffset: index &* across &* size, as: Sample.self)
                unsafe to.storeBytes(of: sample, toByteOffset: index &* size, as: Sample.self)
            }
        }
    }

    /// Copies samples in reverse order. It is a separate function because the compiler does not vectorise it inside the
    /// other loops.
    @inline(never)
    private static func copyBackward(_ count: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        let size = MemoryLayout<Sample>.size
        var from = unsafe from
        for index in 0..<count {
            let sample = unsafe from.loadUnaligned(as: Sample.self)
            unsafe to.storeBytes(of: sample, toByteOffset: index &* size, as: Sample.self)
            unsafe from -= size
        }
    }
}
