import FlyingSocks
import Glibc
import Testing

@testable import Dashboard

@Suite("Epoll queue")
struct EpollQueueTests {
    private let queue = EpollQueue()

    init() throws { try queue.open() }

    /// Returns two connected sockets.
    private func pair() throws -> (a: Int32, b: Int32) {
        var files: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
        return (files[0], files[1])
    }

    private func say(_ file: Int32) { unsafe _ = send(file, "x", 1, 0) }

    private func descriptor(_ file: Int32) -> Socket.FileDescriptor { .init(rawValue: file) }

    @Test("the queue reports the requested events")
    func reports() throws {
        let (a, b) = try pair()
        defer { for file in [a, b] { close(file) } }
        try queue.addEvents(.write, for: descriptor(a))
        #expect(try queue.getNotifications().map(\.events) == [.write])
        try queue.removeEvents(.write, for: descriptor(a))
        try queue.addEvents(.read, for: descriptor(a))
        say(b)
        #expect(try queue.getNotifications().map(\.events) == [.read])
    }

    @Test("a connection is watched even if it reuses the descriptor of one that was closed while watched")
    func reusedNumber() throws {
        // The number is one that no other test gets meanwhile, because the kernel assigns the lowest free one.
        let number: Int32 = 900
        let (a, b) = try pair()
        try #require(fcntl(a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        for file in [number, a, b] { close(file) }
        let (c, d) = try pair()
        defer { for file in [number, c, d] { close(file) } }
        try #require(fcntl(c, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        say(d)
        #expect(try queue.getNotifications() == [.init(file: descriptor(number), events: .read, errors: [])])
    }

    @Test("removing a connection that is already closed is not an error")
    func closed() throws {
        let (a, b) = try pair()
        try queue.addEvents(.read, for: descriptor(a))
        close(a)
        close(b)
        try queue.removeEvents(.read, for: descriptor(a))
    }

    @Test("an event that nobody waits for any longer is reported at most once")
    func unwanted() throws {
        let (a, b) = try pair()
        let (c, d) = try pair()
        defer { for file in [a, b, c, d] { close(file) } }
        try queue.addEvents(.read, for: descriptor(a))
        try queue.removeEvents(.read, for: descriptor(a))
        say(b)
        _ = try queue.getNotifications()
        try queue.addEvents(.read, for: descriptor(c))
        say(d)
        #expect(try queue.getNotifications().map(\.file) == [descriptor(c)])
    }

    @Test("a connection is watched again after an interval in which nobody waited for it")
    func again() throws {
        let (a, b) = try pair()
        defer { for file in [a, b] { close(file) } }
        try queue.addEvents(.read, for: descriptor(a))
        say(b)
        _ = try queue.getNotifications()
        try queue.removeEvents(.read, for: descriptor(a))
        try queue.addEvents(.read, for: descriptor(a))
        #expect(try queue.getNotifications().map(\.events) == [.read])
    }

    @Test("a hang-up is reported for reading and for writing")
    func hangUp() throws {
        let (a, b) = try pair()
        defer { close(a) }
        try queue.addEvents(.read, for: descriptor(a))
        close(b)
        #expect(try queue.getNotifications().map(\.events) == [[.read, .write]])
    }

    @Test("stopping the queue ends the current wait and all later ones")
    func stop() throws {
        try queue.stop()
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
    }

    @Test("a connection that waits for both events is reported for both, and for one after the other was removed")
    func both() throws {
        let (a, b) = try pair()
        defer { for file in [a, b] { close(file) } }
        say(b)
        try queue.addEvents(.read, for: descriptor(a))
        try queue.addEvents(.write, for: descriptor(a))
        #expect(try queue.getNotifications().map(\.events) == [[.read, .write]])
        try queue.removeEvents(.write, for: descriptor(a))
        try queue.addEvents(.read, for: descriptor(a))
        #expect(try queue.getNotifications().map(\.events) == [.read])
    }

    @Test("an error is reported for reading and for writing")
    func error() throws {
        var files: [Int32] = [-1, -1]
        try #require(unsafe pipe(&files) == 0)
        defer { close(files[1]) }
        close(files[0])
        try queue.addEvents(.write, for: descriptor(files[1]))
        #expect(try queue.getNotifications().map(\.events) == [[.read, .write]])
    }

    @Test("a connection is watched even if the kernel still watches it, although the queue does not know that")
    func stillWatched() throws {
        // A number that no other test gets meanwhile.
        let number: Int32 = 901
        let (a, b) = try pair()
        defer { for file in [number, a, b] { close(file) } }
        try #require(fcntl(a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        // The kernel keeps its entry, because the other descriptor keeps the socket open.
        close(number)
        #expect(throws: SocketError.self) { try queue.addEvents(.read, for: descriptor(number)) }
        try #require(fcntl(a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        say(b)
        #expect(try queue.getNotifications().map(\.events) == [.read])
    }

    @Test("a queue that is closed watches nothing until it is opened again")
    func reopened() throws {
        let (a, b) = try pair()
        defer { for file in [a, b] { close(file) } }
        try queue.close()
        #expect(throws: SocketError.self) { try queue.addEvents(.write, for: descriptor(a)) }
        try queue.open()
        try queue.addEvents(.write, for: descriptor(a))
        #expect(try queue.getNotifications().map(\.events) == [.write])
    }

    @Test("a queue that is not open cannot be stopped")
    func stopTooEarly() {
        #expect(throws: SocketError.disconnected) { try EpollQueue().stop() }
    }

    @Test("a descriptor that is not open is refused")
    func badFile() {
        #expect(throws: SocketError.self) { try queue.addEvents(.read, for: descriptor(1_000_000)) }
    }
}
