import CV4L2
import Files
import Glibc

/// The driver's frame buffers, mapped into this process and unmapped when the pool is destroyed.
@safe struct BufferPool: ~Copyable {
    /// The mapped memory, by buffer and plane.
    private var buffers: [[UnsafeMutableRawBufferPointer]] = unsafe []

    /// The number of buffers.
    var count: Int { unsafe buffers.count }

    /// Asks the driver to allocate buffers, and maps them.
    /// - Throws: `V4L2Error.system` (`EBUSY` if another program is streaming), `.tooFewBuffers`.
    init(of device: borrowing Device, count wanted: UInt32, planes: Int) throws(V4L2Error) {
        var request = v4l2_requestbuffers()
        request.count = wanted
        request.type = device.capability.bufferType.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try unsafe device.request("VIDIOC_REQBUFS", cv4l2_reqbufs, &request)
        // With a single buffer, the driver would have no place for a new frame while this one is being read.
        guard request.count >= 2 else { throw .tooFewBuffers(path: device.path, granted: Int(request.count)) }
        for index in 0..<request.count {
            // Planes are added one at a time: if mapping a later one fails, deinit unmaps the earlier ones.
            unsafe buffers.append([])
            for location in try Self.locations(ofBuffer: index, planes: planes, of: device) {
                let address = unsafe mmap(
                    nil, location.length, PROT_READ, MAP_SHARED, device.descriptor.rawValue, location.offset)
                guard let address = unsafe address, unsafe address != MAP_FAILED else {
                    throw .system(call: "mmap", errno: errno, path: device.path)
                }
                unsafe buffers[Int(index)].append(.init(start: address, count: location.length))
            }
        }
    }

    deinit {
        unsafe buffers.joined().forEach { plane in
            _ = unsafe munmap(plane.baseAddress, plane.count)
        }
    }

    /// Returns how many bytes every buffer has for a plane: the smallest size among the buffers.
    func size(ofPlane plane: Int) -> Int {
        unsafe buffers.map { unsafe $0[plane].count }.min() ?? 0
    }

    /// Returns the bytes of one plane that the driver filled, clamped to the mapping whatever the driver reports.
    func bytes(ofBuffer buffer: Int, plane: Int, offset: Int, end: Int) -> UnsafeRawBufferPointer {
        let memory = unsafe buffers[buffer][plane]
        let end = min(max(end, 0), memory.count)
        let start = min(max(offset, 0), end)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    /// Returns the offset and length to map for each plane of a buffer (`VIDIOC_QUERYBUF`).
    private static func locations(
        ofBuffer index: UInt32, planes: Int, of device: borrowing Device
    ) throws(V4L2Error) -> [(offset: Int, length: Int)] {
        var query = unsafe BufferRequest(device.capability, index: index, planes: planes)
        try unsafe query.make("VIDIOC_QUERYBUF", cv4l2_querybuf, of: device)
        return unsafe query.locations
    }
}
