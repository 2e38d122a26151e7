import CLinux
import FlyingSocks
import Glibc
import Handoff

/// A level-triggered event queue for FlyingFox on epoll(7) that a stale cache cannot mislead.
///
/// The kernel forgets a descriptor when it is closed, and the next connection may get the same number. FlyingFox's own
/// queue then assumes that it still watches the descriptor, and the new connection hangs. Here the cache is only a hint:
/// every request to watch goes to the kernel, and its errno decides between adding and modifying.
///
/// `SocketPool` calls `getNotifications` on a thread of its own, and all other functions on its actor. The two share only
/// the epoll descriptor and the waker, which change only while that thread does not run.
final class EpollQueue: EventQueue {
    private static let batch = 64

    private var epoll: Int32 = -1
    /// Wakes the waiting thread when the pool stops, and stays triggered.
    private var waker: Waker?
    private var interest: [Int32: Socket.Events] = [:]

    deinit { closeDescriptors() }

    func open() throws {
        closeDescriptors()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SocketError.makeFailed("epoll_create1") }
        let waker = try Waker()
        self.waker = waker
        guard control(EPOLL_CTL_ADD, waker.descriptor, .read) == 0 else { throw SocketError.makeFailed("epoll_ctl") }
    }

    func stop() throws {
        guard let waker else { throw SocketError.disconnected }
        waker.wake()
    }

    func close() throws { closeDescriptors() }

    func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
        try watch(socket.rawValue, for: (interest[socket.rawValue] ?? []).union(events))
    }

    func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
        try watch(socket.rawValue, for: (interest[socket.rawValue] ?? []).subtracting(events))
    }

    func getNotifications() throws -> [EventNotification] {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.batch)
        let count = unsafe epoll_wait(epoll, &events, Int32(Self.batch), -1)
        guard count >= 0 else {
            if errno == EINTR { return [] }
            throw SocketError.makeFailed("epoll_wait")
        }
        let ready = unsafe events.prefix(Int(count)).map { unsafe (file: $0.data.fd, events: $0.events) }
        guard !ready.contains(where: { $0.file == waker?.descriptor }) else { throw SocketError.disconnected }
        return ready.map {
            EventNotification(file: .init(rawValue: $0.file), events: Self.events($0.events), errors: [])
        }
    }

    private static func events(_ bits: UInt32) -> Socket.Events {
        // After an error or a hang-up neither direction blocks, and the next read or write reports it.
        guard bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) == 0 else { return [.read, .write] }
        var events: Socket.Events = []
        if bits & EPOLLIN.rawValue != 0 { events.insert(.read) }
        if bits & EPOLLOUT.rawValue != 0 { events.insert(.write) }
        return events
    }

    private func watch(_ file: Int32, for events: Socket.Events) throws {
        guard !events.isEmpty else {
            // No system call is needed. A reported event is already disabled (EPOLLONESHOT), and another is reported at
            // most once, when nobody waits for it. Changing the entry later costs less than adding it again.
            interest[file] = []
            return
        }
        let known = interest[file] != nil
        interest[file] = events
        guard control(known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, file, events) != 0 else { return }
        let other: Int32? =
            switch errno {
            case ENOENT: EPOLL_CTL_ADD
            case EEXIST: EPOLL_CTL_MOD
            default: nil
            }
        guard let other, control(other, file, events) == 0 else {
            interest[file] = nil
            throw SocketError.makeFailed("epoll_ctl")
        }
    }

    private func control(_ operation: Int32, _ file: Int32, _ events: Socket.Events) -> Int32 {
        // A reported event is disabled until it is requested again, so one that nobody waits for cannot cause a loop.
        var bits = file == waker?.descriptor ? 0 : EPOLLONESHOT.rawValue
        if events.contains(.read) { bits |= EPOLLIN.rawValue }
        if events.contains(.write) { bits |= EPOLLOUT.rawValue }
        return swatchcam_epoll_ctl(epoll, operation, file, bits)
    }

    private func closeDescriptors() {
        if epoll >= 0 { Glibc.close(epoll) }
        (epoll, waker) = (-1, nil)
        interest = [:]
    }
}
