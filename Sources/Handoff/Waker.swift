import CLinux
import Glibc

/// A means to end another thread's wait for frames: an eventfd that poll(2) watches along with the camera.
public final class Waker: Sendable {
    /// The descriptor to poll, which is readable while the waker is triggered.
    package let descriptor: Int32

    /// Creates a waker that has not been triggered yet.
    /// - Throws: `HandoffError.noDescriptor` if the process has no file descriptor left.
    public init() throws(HandoffError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .noDescriptor(errno: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// Ends the current wait, or the next one.
    public func wake() {
        // EAGAIN means that the counter is full, so the wait ends anyway.
        _ = eventfd_write(descriptor, 1)
    }

    /// Waits for the waker alone, for sources that have no file to wait for.
    /// - Returns: Whether the waker was triggered, which clears it; false if the deadline passed first.
    public func wait(until deadline: MonotonicTime) -> Bool {
        repeat {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, deadline.pollTimeout)
            if count > 0 { return reset() }
        } while deadline.pollTimeout > 0
        return false
    }

    /// Clears the waker, so that the next wait does not end immediately.
    /// - Returns: Whether it was triggered.
    @discardableResult
    package func reset() -> Bool {
        var count = eventfd_t()
        return unsafe eventfd_read(descriptor, &count) == 0
    }
}
