import CV4L2
package import Files
import FoundationEssentials
import Glibc
import Handoff
import Untrusted

/// An open video capture device, closed when the value is destroyed.
///
/// Opening a device does not disturb other programs: V4L2 lets many programs open it, but only one stream from it.
public struct Device: ~Copyable {
    /// The path of the node that was opened.
    public let path: String
    /// The driver's description of the device.
    public let capability: Capability
    /// Whether the driver announces that its signal has appeared, disappeared or changed; false until
    /// ``subscribeToSourceChanges()`` was called.
    public internal(set) var announcesSourceChanges = false
    let descriptor: DeviceDescriptor
    /// The sensor whose raw pictures it captures; nil for other devices.
    private(set) var sensor: Sensor?
    private(set) var sensorDescriptor: DeviceDescriptor?
    /// The links of the media graph that are disabled while it streams.
    var disabledLinks: DisabledLinks?
    /// The open device that has the controls: that of the sensor, or else this one.
    let controlDescriptor: Int32

    /// Opens a node and checks that it is a streaming capture device, or the sensor of a camera module. A sensor is
    /// opened together with the node that captures its pictures.
    /// - Throws: `V4L2Error.notACamera` if the path does not lead to a video4linux device, `.denied` if this user may
    ///   not open it, `.confined` if the container or sandbox lets no user open it, `.busy` if the driver admits only
    ///   one program at a time, `.notACaptureDevice` if it does not capture video or cannot stream, `.system` if
    ///   opening fails for another reason.
    public init(opening path: String) throws(V4L2Error) {
        guard DeviceNode.isSubdevice(path) else {
            try self.init(path: path, owning: Self.open(path))
            return
        }
        guard let sensor = try Sensor.all().first(where: { $0.path == path }) else { throw .notACamera(path: path) }
        try self.init(sensor)
    }

    /// Opens a sensor together with the node that captures its pictures.
    /// - Throws: `V4L2Error`, as ``init(opening:)`` does.
    init(_ sensor: Sensor) throws(V4L2Error) {
        let descriptor = try Self.open(sensor.path)
        try self.init(sensor, owning: descriptor, capture: Self.open(sensor.captureNode))
    }

    /// Makes a device of a sensor and the node that captures its pictures, both of which are open.
    /// - Throws: `V4L2Error`, as ``init(path:owning:)`` does.
    init(
        _ sensor: Sensor, owning descriptor: consuming FileDescriptor, capture: consuming FileDescriptor
    ) throws(V4L2Error) {
        let capability = try Self.capability(of: capture, sensor.path)
        self.init(
            path: sensor.path, capability, capture, sensor: sensor, sensorDescriptor: DeviceDescriptor(descriptor))
    }

    /// Checks that an open file is a streaming capture device.
    /// - Throws: `V4L2Error.notACaptureDevice` if it does not capture video or cannot stream, `.system` if the request
    ///   fails.
    package init(path: String, owning descriptor: consuming FileDescriptor) throws(V4L2Error) {
        let capability = try Self.capability(of: descriptor, path)
        self.init(path: path, capability, descriptor, sensor: nil, sensorDescriptor: nil)
    }

    /// It does not throw, because Swift 6.2 cannot compile an initializer that fails before a noncopyable property is
    /// set (docs/upstream/throwing-initializers.md).
    private init(
        path: String, _ capability: Capability, _ descriptor: consuming FileDescriptor, sensor: Sensor?,
        sensorDescriptor: consuming DeviceDescriptor?
    ) {
        self.path = path
        self.capability = capability
        self.descriptor = DeviceDescriptor(descriptor)
        self.sensor = sensor
        controlDescriptor = sensorDescriptor?.rawValue ?? self.descriptor.rawValue
        self.sensorDescriptor = sensorDescriptor
        disabledLinks = nil
    }

    /// Asks an open file what it is, and checks that it is a streaming capture device.
    private static func capability(
        of descriptor: borrowing FileDescriptor, _ path: String
    ) throws(V4L2Error) -> Capability {
        var reply = v4l2_capability()
        let errno = unsafe cv4l2_querycap(descriptor.rawValue, &reply)
        // ENOTTY and EINVAL mean another kind of device.
        guard errno != ENOTTY, errno != EINVAL else { throw .notACaptureDevice(path: path, name: "this") }
        guard errno == 0 else { throw .system(call: "VIDIOC_QUERYCAP", errno: errno, path: path) }
        let capability = Capability(reply)
        guard capability.isCamera else { throw .notACaptureDevice(path: path, name: capability.card) }
        return capability
    }

    /// Opens a video4linux device and nothing else, because merely opening a file can start a watchdog, reset the
    /// device at the other end of a serial line, or make a terminal the controlling one.
    private static func open(_ path: String) throws(V4L2Error) -> FileDescriptor {
        guard DeviceNode.isVideo4Linux(at: path) else { throw .notACamera(path: path) }
        let descriptor: FileDescriptor
        do throws(POSIXError) {
            descriptor = try serialized { () throws(POSIXError) in try FileDescriptor(opening: path, flags: O_RDWR) }
        } catch {
            throw V4L2Error(opening: path, error)
        }
        // Another file may have taken its place in the meantime.
        guard DeviceNode.isVideo4Linux(descriptor) else { throw .notACamera(path: path) }
        return descriptor
    }

    /// Makes an ioctl request and throws if it fails.
    func request<Argument>(
        _ call: String, _ function: (Int32, UnsafeMutablePointer<Argument>) -> Int32, _ argument: inout Argument
    ) throws(V4L2Error) {
        let errno = unsafe function(descriptor.rawValue, &argument)
        guard errno == 0 else { throw .system(call: call, errno: errno, path: path) }
    }

    /// Makes an ioctl request that the driver may refuse, which then leaves its state as it is.
    /// - Throws: `V4L2Error.system` if another program is streaming (`EBUSY`), or the device is gone (`ENODEV`).
    func wish<Argument>(
        _ call: String, _ function: (Int32, UnsafeMutablePointer<Argument>) -> Int32, _ argument: inout Argument
    ) throws(V4L2Error) {
        let errno = unsafe function(descriptor.rawValue, &argument)
        guard [EBUSY, ENODEV].contains(errno) else { return }
        throw .system(call: call, errno: errno, path: path)
    }

    /// Waits for an event of the device.
    /// - Parameters:
    ///   - ofControls: Whether to wait for events of the controls.
    ///   - events: `POLLIN` for a frame, `POLLPRI` for an event.
    ///   - deadline: When to stop waiting.
    ///   - waker: Ends the wait early.
    /// - Returns: The events that poll(2) reports; 0 after the deadline or if the waker was triggered.
    func poll(
        _ events: Int32, ofControls: Bool = false, before deadline: MonotonicTime, orUntil waker: Waker
    ) throws(V4L2Error) -> Int32 {
        while true {
            var entries: [2 of pollfd] = [
                pollfd(fd: ofControls ? controlDescriptor : descriptor.rawValue, events: Int16(events), revents: 0),
                pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var span = entries.mutableSpan
            let count = unsafe span.withUnsafeMutableBufferPointer { entries in
                unsafe Glibc.poll(entries.baseAddress, UInt(entries.count), deadline.pollTimeout)
            }
            if count < 0, errno != EINTR { throw .system(call: "poll", errno: errno, path: path) }
            if count > 0, entries[1].revents != 0 {
                waker.reset()
                return 0
            }
            if count > 0 { return Int32(entries[0].revents) }
            if deadline.pollTimeout == 0 { return 0 }
        }
    }

    /// Requests the items of a list one after another until the driver reports its end.
    ///
    /// The limit guards against drivers that never do.
    /// - Parameter index: The field of the request with the number of the item.
    func items<Argument, Item>(
        _ function: (Int32, UnsafeMutablePointer<Argument>) -> Int32, _ request: Argument,
        _ index: WritableKeyPath<Argument, UInt32>, _ item: (Argument) -> Item?
    ) -> [Item] {
        var found: [Item] = []
        for number in 0..<UInt32(256) {
            var argument = request
            argument[keyPath: index] = number
            guard unsafe function(descriptor.rawValue, &argument) == 0 else { break }
            if let item = item(argument) { found.append(item) }
        }
        return found
    }
}

/// Runs a function while no other thread opens, closes, maps or asks a device, if libcamera's V4L2 layer is loaded.
func serialized<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    cv4l2_lock()
    defer { cv4l2_unlock() }
    return try body()
}

/// An open device, closed once, while no other thread uses libcamera's V4L2 layer.
struct DeviceDescriptor: ~Copyable {
    let rawValue: Int32

    init(_ descriptor: consuming FileDescriptor) {
        rawValue = descriptor.release()
    }

    deinit {
        _ = serialized { close(rawValue) }
    }
}

/// A driver's description of its device (`VIDIOC_QUERYCAP`).
public struct Capability: Equatable, Sendable {
    /// The driver's name: `uvcvideo`.
    public let driver: String
    /// The device's name: `HD Pro Webcam C920`.
    public let card: String
    /// The place where it is plugged in: `usb-0000:00:14.0-2`.
    public let bus: String
    /// The `V4L2_CAP_*` flags of the node that was opened.
    let flags: UInt32

    init(_ reply: v4l2_capability) {
        driver = string(of: reply.driver)
        card = string(of: reply.card)
        bus = string(of: reply.bus_info)
        // `capabilities` describes the whole device, which may have several nodes; `device_caps` describes this node.
        let wholeDevice = reply.capabilities
        flags = wholeDevice & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? reply.device_caps : wholeDevice
    }

    /// Whether it is a camera: it captures video by streaming and is not a memory-to-memory codec.
    var isCamera: Bool {
        let memoryToMemory = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
        let capture = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        return flags & capture != 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0 && flags & memoryToMemory == 0
    }

    /// The nodes of image signal processors that do not set `V4L2_CAP_IO_MC`: those of the Raspberry Pi 0 to 4 and of
    /// the Raspberry Pi 5, which are there without any camera.
    private static let processorDrivers: Set = ["bcm2835-isp", "pispbe"]
    /// The receivers of camera modules whose older drivers do not set it. unicam is missing here: without the flag, it
    /// sets up its sensor by itself.
    private static let receiverDrivers: Set = ["rp1-cfe", "rkisp1", "ipu3-cio2", "ipu3-imgu"]

    var role: NodeRole {
        if Self.processorDrivers.contains(driver) { return .imageProcessor }
        let usesMediaController = flags & UInt32(V4L2_CAP_IO_MC) != 0
        return usesMediaController || Self.receiverDrivers.contains(driver) ? .receiver : .camera
    }

    /// The driver that libcamera's V4L2 layer (`v4l2-compat.so`) reports for a camera that it presents in place of the
    /// kernel.
    static let layerDriver = "libcamera"

    /// Whether it supports only the multi-planar API, not the single-planar one.
    var usesMultiplanarAPI: Bool { flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 }

    /// The `enum v4l2_buf_type` of its capture queue.
    var bufferType: v4l2_buf_type {
        usesMultiplanarAPI ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
    }
}

/// What a node that captures video is.
public enum NodeRole: Sendable {
    /// A camera, which streams as soon as it is asked.
    case camera
    /// The receiver of a camera module on a ribbon cable: it streams once a media graph was set up, and until then
    /// lists formats that the sensor may not have.
    case receiver
    /// A part of an image signal processor, which processes the pictures that another program puts into it.
    case imageProcessor
    /// The sensor of a camera module, whose raw pictures are read.
    case sensor
}

/// Returns the text of a C array of characters, which Swift imports as a tuple, up to the first NUL or the end of the
/// array.
///
/// Drivers fill such arrays with what a device reports about itself; bytes that are not UTF-8 become U+FFFD.
func string<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).sanitized()
    }
}
