package import CV4L2
import FakeDriver
import Glibc
package import Handoff
package import V4L2

/// A driver that streams the frames that a test has prepared, and is gone after the last.
///
/// It follows the kernel's rules: a frame needs a queued buffer, and no buffer is queued twice.
package final class ModelStream {
    package struct Frame {
        package var sequence: UInt32
        package var bytes: [UInt8]
        /// Bytes before the picture, which count as used.
        var header: Int
        /// The number of used bytes that the driver reports, if it is not the actual number.
        var used: UInt32?
        var flags: UInt32
        /// The time of capture, to the microsecond; nil if that is when the frame is delivered.
        var time: MonotonicTime?

        package init(
            sequence: UInt32, bytes: [UInt8] = [1, 2, 3, 4], header: Int = 0, used: UInt32? = nil,
            flags: UInt32 = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC), time: MonotonicTime? = nil
        ) {
            self.sequence = sequence
            self.bytes = bytes
            self.header = header
            self.used = used
            self.flags = flags
            self.time = time
        }
    }

    /// The size of each plane of each buffer, in bytes.
    package static let planeSize = 4096
    package let driver: ModelDriver
    /// The memory of the buffers.
    private let file: Int32
    /// The frames that the driver has whenever a stream begins.
    package var kept: [Frame] = []
    /// The frames that it captures after that.
    package var waiting: [Frame] = []
    /// The action when a frame is requested and none waits. It returns an errno, or 0 if there may be a frame now.
    package var onWait: (() -> Int32)?
    package private(set) var queued: [UInt32] = []
    /// The inode of the memory, as in `/proc/self/maps`.
    package let inode: UInt
    /// The arrangement of fields that it grants.
    package var field = V4L2_FIELD_NONE
    /// The number of bytes by which the last buffer is shorter than the others.
    package var shortage: UInt32 = 0
    private var isOver = false
    /// The kept frames that the stream has not had yet; nil once it has asked for more.
    private var left: [Frame]?
    /// The time of the last frame, after which the next one is captured.
    private var last = MonotonicTime(nanoseconds: 0)

    package init(isMultiplanar: Bool = false, planes: Int = 1, granted: UInt32 = 5) {
        driver = ModelDriver(isMultiplanar: isMultiplanar)
        var path = Array("/tmp/swatchcam-frames.XXXXXX".utf8CString)
        file = unsafe mkstemp(&path)
        unsafe unlink(path)
        var status = stat()
        unsafe fstat(file, &status)
        inode = status.st_ino
        ftruncate(file, Int(granted) * planes * Self.planeSize)
        unsafe driver.on(FAKE_S_FMT, v4l2_format.self) { [unowned self] format in
            if isMultiplanar {
                unsafe format.fmt.pix_mp.num_planes = UInt8(planes)
                unsafe format.fmt.pix_mp.plane_fmt.0 = .init(
                    sizeimage: 512, bytesperline: 32, reserved: (0, 0, 0, 0, 0, 0))
                unsafe format.fmt.pix_mp.plane_fmt.1 = .init(
                    sizeimage: 9999, bytesperline: 16, reserved: (0, 0, 0, 0, 0, 0))
            } else {
                unsafe (format.fmt.pix.bytesperline, format.fmt.pix.sizeimage) = (32, 9999)
                unsafe format.fmt.pix.field = field.rawValue
            }
            return 0
        }
        driver.on(FAKE_G_PARM, v4l2_streamparm.self) { parameters in
            unsafe parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
            return 0
        }
        driver.on(FAKE_S_PARM, v4l2_streamparm.self) { _ in 0 }
        driver.on(FAKE_REQBUFS, v4l2_requestbuffers.self) { [unowned self] request in
            queued = []
            request.count = min(request.count, granted)
            return 0
        }
        driver.on(FAKE_STREAMON, Int32.self) { [unowned self] _ in
            left = kept
            return 0
        }
        driver.on(FAKE_STREAMOFF, Int32.self) { _ in 0 }
        let isOurs = { (buffer: v4l2_buffer) in
            let type = isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
            return unsafe buffer.type == type.rawValue && buffer.memory == V4L2_MEMORY_MMAP.rawValue
        }
        unsafe driver.on(FAKE_QUERYBUF, v4l2_buffer.self) { [unowned self] buffer in
            guard unsafe isOurs(buffer) else { return EINVAL }
            let size = unsafe UInt32(Self.planeSize) - (buffer.index == granted - 1 ? shortage : 0)
            let offset = unsafe UInt32(Int(buffer.index) * planes * Self.planeSize)
            guard isMultiplanar else {
                unsafe (buffer.m.offset, buffer.length) = (offset, size)
                return 0
            }
            for plane in 0..<planes {
                unsafe buffer.m.planes[plane].m.mem_offset = offset + UInt32(plane * Self.planeSize)
                unsafe buffer.m.planes[plane].length = size
            }
            return 0
        }
        unsafe driver.on(FAKE_QBUF, v4l2_buffer.self) { [unowned self] buffer in
            guard unsafe isOurs(buffer), unsafe !queued.contains(buffer.index) else { return EINVAL }
            unsafe queued.append(buffer.index)
            return 0
        }
        unsafe driver.on(FAKE_DQBUF, v4l2_buffer.self) { [unowned self] buffer in
            guard unsafe isOurs(buffer) else { return EINVAL }
            return unsafe lend(&buffer, planes: isMultiplanar ? planes : 0)
        }
    }

    deinit { close(file) }

    /// Returns a descriptor for a device, which closes it.
    package func makeDescriptor() -> Int32 { dup(file) }

    /// Runs `body` with a camera that delivers these frames.
    package func run<Result>(
        _ frames: [Frame] = [], framesPerSecond: Double = 30, filter: StaleFrameFilter = StaleFrameFilter(),
        _ body: (inout Camera) throws -> Result
    ) throws -> Result {
        waiting += frames
        return try driver.withDevice(makeDescriptor()) { device in
            var camera = try Camera(
                device, fourCC: "YUYV", width: 16, height: 8, framesPerSecond: framesPerSecond, filter: filter)
            return try body(&camera)
        }
    }

    private func lend(_ buffer: inout v4l2_buffer, planes: Int) -> Int32 {
        if left?.isEmpty == true {
            left = nil
            return EAGAIN
        }
        // The first attempt without a frame fails, so that the frames lent so far are used before the wait.
        if left == nil, isOver, waiting.isEmpty, let onWait {
            let errno = onWait()
            guard errno == 0 else { return errno }
        }
        guard let frame = left?.first ?? waiting.first, let index = queued.first else {
            defer { isOver = true }
            return isOver ? ENODEV : EAGAIN
        }
        isOver = false
        if left?.removeFirst() == nil { waiting.removeFirst() }
        queued.removeFirst()
        unsafe (buffer.index, buffer.sequence, buffer.flags) = (index, frame.sequence, frame.flags)
        // No two frames are captured in the same microsecond.
        last = frame.time ?? max(.now(), MonotonicTime(nanoseconds: last.nanoseconds + 1000))
        unsafe buffer.timestamp = timeval(
            tv_sec: Int(last.nanoseconds / 1_000_000_000), tv_usec: Int(last.nanoseconds % 1_000_000_000 / 1000))
        unsafe buffer.bytesused = frame.used ?? UInt32(frame.header + frame.bytes.count)
        for plane in 0..<max(planes, 1) {
            // The bytes of each plane differ from those of the others.
            let bytes = [UInt8](repeating: 0xEE, count: frame.header) + frame.bytes.map { $0 + UInt8(100 * plane) }
            let offset = (Int(index) * max(planes, 1) + plane) * Self.planeSize
            unsafe _ = pwrite(file, bytes, bytes.count, offset)
            guard planes > 0 else { break }
            unsafe buffer.m.planes[plane].bytesused = frame.used ?? UInt32(bytes.count)
            unsafe buffer.m.planes[plane].data_offset = UInt32(frame.header)
        }
        return 0
    }
}
