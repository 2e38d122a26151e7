/// Where each sample of an oriented plane comes from: the way through memory. All that is unsafe about orientation is
/// here.
struct PlaneRotation {
    /// Of the oriented plane.
    let columns: Int
    /// Of the oriented plane.
    let rows: Int
    private let width: Int
    private let height: Int
    private let swapsSides: Bool
    /// Whether, along a row of the oriented plane, the other plane is walked from right to left, or from the bottom up.
    private let rowIsBackward: Bool
    /// Whether, along a column of the oriented plane, it is.
    private let columnIsBackward: Bool

    /// Samples to a side of the blocks that are copied one after another when rows become columns: the rows that are
    /// read and those that are written then stay in the first cache, whatever their length.
    private static let block = 32

    /// - Parameters: Of the plane as the camera sends it.
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
    ///   - type: A sample.
    ///   - sourceStride: From row to row, in samples.
    ///   - target: Where the oriented plane goes. Nothing does if either has too few bytes.
    ///   - targetStride: From row to row, in samples.
    func copy<Sample: BitwiseCopyable>(
        _ source: [UInt8], as type: Sample.Type, perLine sourceStride: Int, into target: inout [UInt8],
        perLine targetStride: Int
    ) {
        guard width > 0, height > 0, sourceStride >= width, targetStride >= columns,
            source.count >= sourceStride * height * MemoryLayout<Sample>.size,
            target.count >= targetStride * rows * MemoryLayout<Sample>.size
        else { return }
        // From a sample to that of the next column of the oriented plane, and of the next row.
        let across = (swapsSides ? sourceStride : 1) * (rowIsBackward ? -1 : 1)
        let down = (swapsSides ? 1 : sourceStride) * (columnIsBackward ? -1 : 1)
        let first = (rowIsBackward ? -across * (columns - 1) : 0) + (columnIsBackward ? -down * (rows - 1) : 0)
        unsafe source.withUnsafeBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                let size = MemoryLayout<Sample>.size
                let way = unsafe Way<Sample>(source: source + first * size, across: across, target: target)
                for top in stride(from: 0, to: rows, by: Self.block) {
                    // Only where rows become columns do blocks have sides.
                    for left in stride(from: 0, to: columns, by: swapsSides ? Self.block : columns) {
                        let end = swapsSides ? min(left + Self.block, columns) : columns
                        for row in top..<min(top + Self.block, rows) {
                            unsafe way.copy(left..<end, from: row * down, to: row * targetStride)
                        }
                    }
                }
            }
        }
    }
}

/// Valid while both planes' bytes are lent.
@unsafe private struct Way<Sample: BitwiseCopyable> {
    /// The sample that comes to lie at the top left.
    let source: UnsafeRawPointer
    /// From a sample to that of the next column of the oriented plane.
    let across: Int
    let target: UnsafeMutableRawPointer

    /// Copies some columns of a row.
    /// - Parameters:
    ///   - sourceOffset: Of the first column's sample, in samples.
    ///   - targetOffset: Of the first column's place, in samples.
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

    /// A function of its own: in the midst of the other loops it is not made of vector instructions.
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
