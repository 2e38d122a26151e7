import CV4L2
package import FakeDriver
import Files
import Glibc
package import V4L2

/// A driver whose answers a test defines, request by request. A request without an answer fails with `EINVAL`.
@safe package final class ModelDriver {
    private var answers: [UInt32: (UnsafeMutableRawPointer) -> Int32] = unsafe [:]
    private var requests: [UInt32] = []
    /// The open file to which the request being answered was made.
    package private(set) var descriptor: Int32 = -1

    /// Creates a webcam, or a camera of the multi-planar API.
    package init(isMultiplanar: Bool = false) {
        on(FAKE_QUERYCAP, v4l2_capability.self) { reply in
            let capture = isMultiplanar ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE
            reply.capabilities = UInt32(capture) | UInt32(V4L2_CAP_STREAMING)
            return 0
        }
    }

    /// Makes the camera report another driver.
    /// - Parameters:
    ///   - card: The name of the device.
    ///   - flags: `V4L2_CAP_*` flags besides those of a camera.
    package func identify(driver: String, card: String = "", flags: Int32 = 0) {
        on(FAKE_QUERYCAP, v4l2_capability.self) { reply in
            reply.capabilities =
                UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING) | UInt32(bitPattern: flags)
            unsafe withUnsafeMutableBytes(of: &reply.driver) { unsafe $0.copyBytes(from: Array(driver.utf8)) }
            unsafe withUnsafeMutableBytes(of: &reply.card) { unsafe $0.copyBytes(from: Array(card.utf8)) }
            return 0
        }
    }

    /// Defines the answer to a request.
    /// - Parameter answer: Returns 0 or an errno.
    package func on<Argument>(
        _ request: fake_driver_request, _: Argument.Type, _ answer: @escaping (inout Argument) -> Int32
    ) {
        unsafe answers[request.rawValue] = { unsafe answer(&$0.assumingMemoryBound(to: Argument.self).pointee) }
    }

    /// Makes a request return the item with the requested index, and fail beyond the last item.
    package func list<Argument>(
        _ request: fake_driver_request, _ items: [Argument], at index: KeyPath<Argument, UInt32>
    ) {
        on(request, Argument.self) { argument in
            guard let item = items.dropFirst(Int(argument[keyPath: index])).first else { return EINVAL }
            argument = item
            return 0
        }
    }

    /// Returns how often a request was made.
    package func count(of request: fake_driver_request) -> Int { requests.count { $0 == request.rawValue } }

    /// Runs `body` with a device that this driver answers for.
    /// - Parameter descriptor: The descriptor that is waited for and mapped in place of the device's.
    package func withDevice<Result>(
        _ descriptor: Int32 = unsafe Glibc.open("/dev/zero", O_RDWR | O_CLOEXEC),
        _ body: (consuming Device) throws -> Result
    ) throws -> Result {
        defer { fake_driver_end() }
        return try body(open("/dev/video9", descriptor))
    }

    /// Opens a device. From then on this driver, and no other, answers the calling thread's requests, until
    /// `fake_driver_end()`.
    package func open(_ path: String, _ descriptor: Int32) throws(V4L2Error) -> Device {
        begin()
        return try Device(path: path, owning: FileDescriptor(owning: descriptor))
    }

    /// Answers the calling thread's requests, whatever file they are made to, until `fake_driver_end()`.
    package func begin() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe fake_driver_begin_model(
            { context, descriptor, request, argument in
                let driver = unsafe Unmanaged<ModelDriver>.fromOpaque(context).takeUnretainedValue()
                driver.descriptor = descriptor
                driver.requests.append(request.rawValue)
                return unsafe driver.answers[request.rawValue].map { unsafe $0(argument) } ?? EINVAL
            }, context)
    }
}
