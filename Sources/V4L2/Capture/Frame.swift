public import Handoff

/// What the driver says of a frame.
public struct FrameInfo: Equatable, Sendable {
    /// The driver's counter; a gap is frames that were lost before they reached us.
    public var sequence: UInt32
    /// When the frame was captured: its first or last line, as the driver has it.
    public var timestamp: MonotonicTime

    /// A description; the values are taken as they are.
    public init(sequence: UInt32, timestamp: MonotonicTime) {
        self.sequence = sequence
        self.timestamp = timestamp
    }
}

/// A frame on loan: its bytes lie where the driver put them.
///
/// It exists for the length of a call only. It cannot be copied, and since a callee merely borrows it, it cannot be
/// kept either; the span that `withBytes` lends cannot leave its closure. So nobody reads a buffer that the driver has
/// again, and it is given back exactly once.
@safe public struct Frame: ~Copyable {
    /// What the driver says of it.
    public let info: FrameInfo
    private let planes: [UnsafeRawBufferPointer]

    /// Takes buffers that stay valid for as long as the frame exists: the caller sees to it.
    @unsafe init(info: FrameInfo, planes: [UnsafeRawBufferPointer]) {
        self.info = info
        unsafe self.planes = planes
    }

    /// A frame over bytes of the caller's own: for a source that is no kernel device, and for tests.
    public static func lend<Result, Failure: Error>(
        _ info: FrameInfo, bytes: [UInt8], to body: (borrowing Frame) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The array outlives the call: it is a parameter, and is used again below.
        let outcome = unsafe bytes.withUnsafeBytes { buffer -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body(unsafe Frame(info: info, planes: [buffer])))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The number of memory planes.
    public var planeCount: Int { unsafe planes.count }

    /// Lends the bytes of one memory plane, as many as the driver filled.
    /// - Parameter plane: 0 up to `planeCount`; the bytes of any other are none.
    public borrowing func withBytes<Result, Failure: Error>(
        ofPlane plane: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe bytes(ofPlane: plane).bytes)
    }

    /// Copies the bytes of one memory plane, as many as the driver filled.
    /// - Parameters:
    ///   - plane: 0 up to `planeCount`; the bytes of any other are none.
    ///   - target: Takes them, and keeps its memory.
    public borrowing func copyBytes(ofPlane plane: Int, to target: inout [UInt8]) {
        target.removeAll(keepingCapacity: true)
        unsafe target.append(contentsOf: bytes(ofPlane: plane))
    }

    /// Lends the bytes of the first three memory planes; those of a plane that is not there are none.
    public borrowing func withPlanes<Result, Failure: Error>(
        _ body: (RawSpan, RawSpan, RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            unsafe bytes(ofPlane: 0).bytes, unsafe bytes(ofPlane: 1).bytes, unsafe bytes(ofPlane: 2).bytes)
    }

    private borrowing func bytes(ofPlane plane: Int) -> UnsafeRawBufferPointer {
        unsafe planes.indices.contains(plane) ? planes[plane] : UnsafeRawBufferPointer(start: nil, count: 0)
    }
}
