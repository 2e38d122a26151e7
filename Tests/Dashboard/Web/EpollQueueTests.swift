import FlyingSocks
import Glibc
import Testing

@testable import Dashboard

@Suite("The event queue")
struct EpollQueueTests {
    private let queue = EpollQueue()

    init() throws { try queue.open() }

    /// Two connected sockets.
    private func pair() throws -> (a: Int32, b: Int32) {
        var files: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
        return (files[0], files[1])
    }

    private func say(_ file: Int32) { unsafe _ = send(file, "x", 1, 0) }

    private func descriptor(_ file: Int32) -> Socket.FileDescriptor { .init(rawValue: file) }

    @Test("reports what is asked for")
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

    @Test("watches a connection that got the number of one that was closed while it was watched")
    func reusedNumber() throws {
        // A number that no other test gets meanwhile: the kernel gives the lowest that is free.
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

    @Test("forgets a connection that is closed already without complaint")
    func closed() throws {
        let (a, b) = try pair()
        try queue.addEvents(.read, for: descriptor(a))
        close(a)
        close(b)
        try queue.removeEvents(.read, for: descriptor(a))
    }

    @Test("reports once at most what nobody waits for any more")
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

    @Test("watches again what nobody waited for in between")
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

    @Test("lets both directions find out about a hang-up")
    func hangUp() throws {
        let (a, b) = try pair()
        defer { close(a) }
        try queue.addEvents(.read, for: descriptor(a))
        close(b)
        #expect(try queue.getNotifications().map(\.events) == [[.read, .write]])
    }

    @Test("ends a wait when it is stopped, for good")
    func stop() throws {
        try queue.stop()
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
    }

    @Test("refuses what is no open file")
    func badFile() {
        #expect(throws: SocketError.self) { try queue.addEvents(.read, for: descriptor(1_000_000)) }
    }
}
