import CLinux
import Glibc

/// Ends a wait for frames from another thread: an eventfd beside the camera in poll(2).
public final class Waker: Sendable {
    package let descriptor: Int32

    /// A waker that nobody has woken yet.
    /// - Throws: `HandoffError.noDescriptor` when the process has no file descriptor left.
    public init() throws(HandoffError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .noDescriptor(errno: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// Ends the wait that is under way, or the next one.
    public func wake() {
        // EAGAIN means that it is awake 2^64 times over.
        _ = eventfd_write(descriptor, 1)
    }

    /// Waits, for sources that have no file of their own to wait for.
    /// - Returns: Whether it was woken; false when the deadline came first.
    public func wait(until deadline: MonotonicTime) -> Bool {
        repeat {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, deadline.pollTimeout)
            if count > 0 { return reset() }
        } while deadline.pollTimeout > 0
        return false
    }

    /// Takes note of having been woken, so that the next wait waits.
    @discardableResult
    package func reset() -> Bool {
        var count: eventfd_t = 0
        return unsafe eventfd_read(descriptor, &count) == 0
    }
}
