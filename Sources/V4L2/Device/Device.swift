import CV4L2
import Glibc

/// An open video capture device, closed when it goes.
///
/// Opening one disturbs nobody: V4L2 lets many programs open a device, and only one stream from it.
public struct Device: ~Copyable {
    /// The node that was opened.
    public let path: String
    /// What the driver says of the device.
    public let capability: Capability
    let descriptor: FileDescriptor

    /// Opens a node and asks what it is.
    /// - Throws: `V4L2Error.system` when it cannot be opened or is no V4L2 device, `.notACaptureDevice` when it
    ///   captures no video or cannot stream.
    public init(opening path: String) throws(V4L2Error) {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        var reply = v4l2_capability()
        let errno = unsafe cv4l2_querycap(descriptor.rawValue, &reply)
        // ENOTTY and EINVAL: some other kind of device.
        guard errno != ENOTTY, errno != EINVAL else { throw .notACaptureDevice(path: path, name: "this") }
        guard errno == 0 else { throw .system(call: "VIDIOC_QUERYCAP", errno: errno, path: path) }
        let capability = Capability(reply)
        guard capability.streamsVideo else { throw .notACaptureDevice(path: path, name: capability.card) }
        self.path = path
        self.capability = capability
        self.descriptor = descriptor
    }

    /// Makes a request of the driver.
    func request<Argument>(
        _ call: String, _ function: (Int32, UnsafeMutablePointer<Argument>) -> Int32, _ argument: inout Argument
    ) throws(V4L2Error) {
        let errno = unsafe function(descriptor.rawValue, &argument)
        guard errno == 0 else { throw .system(call: call, errno: errno, path: path) }
    }

    /// Asks for the items of a list one after another, until the driver says that there is no more.
    ///
    /// Bounded, for drivers that never say so.
    func items<Argument, Item>(
        _ function: (Int32, UnsafeMutablePointer<Argument>) -> Int32, limit: UInt32 = 256,
        at index: (UInt32) -> Argument, _ item: (Argument) -> Item?
    ) -> [Item] {
        var found: [Item] = []
        for number in 0..<limit {
            var argument = index(number)
            guard unsafe function(descriptor.rawValue, &argument) == 0 else { break }
            if let item = item(argument) { found.append(item) }
        }
        return found
    }
}
