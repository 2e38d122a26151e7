import FlyingSocks
import Glibc
import Testing

@testable import Dashboard

@Suite("Epoll queue")
struct EpollQueueTests {
    private let queue = EpollQueue()

    init() throws { try queue.open() }

    /// Two connected sockets.
    private struct Pair {
        let a: Int32
        let b: Int32

        init() throws {
            var files: [Int32] = [-1, -1]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
            (a, b) = (files[0], files[1])
        }

        func close() { for file in [a, b] { Glibc.close(file) } }

        var file: Socket.FileDescriptor { .init(rawValue: a) }

        /// Sends a byte to the file that the queue watches.
        func say() { unsafe _ = send(b, "x", 1, 0) }
    }

    private func descriptor(_ file: Int32) -> Socket.FileDescriptor { .init(rawValue: file) }

    private func events() throws -> [Socket.Events] { try queue.getNotifications().map(\.events) }

    @Test("the queue reports the requested events, each until it is removed")
    func reports() throws {
        let pair = try Pair()
        defer { pair.close() }
        try queue.addEvents(.write, for: pair.file)
        #expect(try events() == [.write])
        pair.say()
        try queue.addEvents(.read, for: pair.file)
        #expect(try events() == [[.read, .write]])
        try queue.removeEvents(.write, for: pair.file)
        try queue.addEvents(.read, for: pair.file)
        #expect(try events() == [.read])
    }

    /// Returns a descriptor that no other test gets meanwhile, because the kernel assigns the lowest free one.
    private func highest(_ place: Int32) throws -> Int32 {
        var limit = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        return Int32(min(limit.rlim_cur, 1 << 20)) - place
    }

    @Test("a connection is watched even if it reuses the descriptor of one that was closed while watched")
    func reusedNumber() throws {
        let number = try highest(1)
        let former = try Pair()
        try #require(fcntl(former.a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        close(number)
        former.close()
        let pair = try Pair()
        defer {
            pair.close()
            close(number)
        }
        try #require(fcntl(pair.a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        pair.say()
        #expect(try queue.getNotifications() == [.init(file: descriptor(number), events: .read, errors: [])])
    }

    @Test("removing a connection that is already closed is not an error")
    func closed() throws {
        let pair = try Pair()
        try queue.addEvents(.read, for: pair.file)
        pair.close()
        try queue.removeEvents(.read, for: pair.file)
    }

    @Test("an event that nobody waits for any longer is reported at most once, and again when somebody waits for it")
    func unwanted() throws {
        let (unwanted, other) = (try Pair(), try Pair())
        defer { for pair in [unwanted, other] { pair.close() } }
        try queue.addEvents(.read, for: unwanted.file)
        try queue.removeEvents(.read, for: unwanted.file)
        unwanted.say()
        _ = try queue.getNotifications()
        try queue.addEvents(.read, for: other.file)
        other.say()
        #expect(try queue.getNotifications().map(\.file) == [other.file])
        try queue.removeEvents(.read, for: other.file)
        try queue.addEvents(.read, for: unwanted.file)
        #expect(try queue.getNotifications().contains { $0.file == unwanted.file && $0.events == .read })
    }

    @Test("a hang-up is reported for reading and for writing")
    func hangUp() throws {
        let pair = try Pair()
        defer { pair.close() }
        try queue.addEvents(.read, for: pair.file)
        shutdown(pair.b, Int32(SHUT_RDWR))
        #expect(try events() == [[.read, .write]])
    }

    @Test("stopping the queue ends the current wait and all later ones")
    func stop() throws {
        try queue.stop()
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
        #expect(throws: SocketError.disconnected) { try queue.getNotifications() }
    }

    @Test("an error is reported for reading and for writing")
    func error() throws {
        var files: [Int32] = [-1, -1]
        try #require(unsafe pipe(&files) == 0)
        defer { close(files[1]) }
        close(files[0])
        try queue.addEvents(.write, for: descriptor(files[1]))
        #expect(try events() == [[.read, .write]])
    }

    @Test("a connection is watched even if the kernel still watches it, although the queue does not know that")
    func stillWatched() throws {
        // A number that no other test gets meanwhile.
        let number = try highest(2)
        let pair = try Pair()
        defer {
            pair.close()
            close(number)
        }
        try #require(fcntl(pair.a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        // The kernel keeps its entry, because the other descriptor keeps the socket open.
        close(number)
        #expect(throws: SocketError.self) { try queue.addEvents(.read, for: descriptor(number)) }
        try #require(fcntl(pair.a, F_DUPFD, number) == number)
        try queue.addEvents(.read, for: descriptor(number))
        pair.say()
        #expect(try events() == [.read])
    }

    @Test("a queue that is closed watches nothing until it is opened again")
    func reopened() throws {
        let pair = try Pair()
        defer { pair.close() }
        try queue.close()
        #expect(throws: SocketError.self) { try queue.addEvents(.write, for: pair.file) }
        try queue.open()
        try queue.addEvents(.write, for: pair.file)
        #expect(try events() == [.write])
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
