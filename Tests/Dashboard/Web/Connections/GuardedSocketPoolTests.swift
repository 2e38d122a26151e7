import FlyingSocks
import Glibc
import Synchronization
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Guarded socket pool", .timeLimit(.minutes(20)))
struct GuardedSocketPoolTests {
    /// Runs a pool around a test, which gets one of two connected sockets and the descriptor of the other.
    /// - Parameters:
    ///   - limits: The limits of the pool.
    ///   - connections: The limits of the connections. By default, no connection is too slow on any machine.
    private func running(
        _ limits: GuardedSocketPool.Limits = .init(writeTimeout: .seconds(3600)),
        connections: Connections.Limits = .init(requestTimeout: .seconds(3600), idleTimeout: .seconds(3600)),
        _ test: (GuardedSocketPool, Socket, Int32) async throws -> Void
    ) async throws {
        try await running(limits, with: Connections(limits: connections), test)
    }

    private func running(
        _ limits: GuardedSocketPool.Limits = .init(), with connections: Connections,
        now: @escaping @Sendable () -> SuspendingClock.Instant = { .now },
        _ test: (GuardedSocketPool, Socket, Int32) async throws -> Void
    ) async throws {
        let pool = GuardedSocketPool(limits: limits, connections: connections, now: now)
        try await pool.prepare()
        let task = Task { try await pool.run() }
        let (listener, port) = try listen()
        let client = try connect(to: port)
        let accepted = Socket(file: try listener.accept().file)
        pool.didAccept(accepted)
        try await test(pool, accepted, client.file.rawValue)
        task.cancel()
        _ = await task.result
        for socket in [listener, client, accepted] { try socket.close() }
    }

    private func listen() throws -> (listener: Socket, port: UInt16) {
        let listener = try Socket(domain: AF_INET)
        try listener.bind(to: try .inet(ip4: "127.0.0.1", port: 0))
        try listener.listen()
        var port: UInt16?
        if case .ip4(_, let number) = try listener.sockname() { port = number }
        return (listener, try #require(port))
    }

    private func connect(to port: UInt16) throws -> Socket {
        let client = try Socket(domain: AF_INET)
        try client.connect(to: try .inet(ip4: "127.0.0.1", port: port))
        return client
    }

    /// Returns two connected sockets that the pool has not accepted.
    private func pair() throws -> (Socket, Socket) {
        var files: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
        return (Socket(file: .init(rawValue: files[0])), Socket(file: .init(rawValue: files[1])))
    }

    @Test("a connection that reads nothing for too long is shut down")
    func writeDeadline() async throws {
        let slow = Connections.Limits(requestTimeout: .seconds(3600), idleTimeout: .seconds(3600))
        try await running(.init(writeTimeout: .milliseconds(1), checkInterval: .milliseconds(1)), connections: slow) {
            pool, socket, _ in
            try socket.setFlags(.nonBlocking)
            let part = [UInt8](repeating: 0, count: 65_536)
            while unsafe send(socket.file.rawValue, part, part.count, Int32(MSG_NOSIGNAL)) > 0 {}
            try await pool.suspendSocket(socket, untilReadyFor: .write)
            let (sent, problem) = unsafe (send(socket.file.rawValue, part, part.count, Int32(MSG_NOSIGNAL)), errno)
            #expect(sent == -1)
            #expect(problem == EPIPE)
        }
    }

    @Test("a connection beyond the limit is closed")
    func tooMany() async throws {
        try await running(connections: .init(eachNearby: 0)) { pool, socket, _ in
            #expect(throws: SocketError.disconnected) { try socket.read() }
        }
    }

    @Test("a connection that sends in time is kept")
    func inTime() async throws {
        try await running { pool, socket, peer in
            unsafe _ = send(peer, "x", 1, 0)
            try await pool.suspendSocket(socket, untilReadyFor: .read)
            #expect(try socket.read() == UInt8(ascii: "x"))
        }
    }

    @Test("several connections that send nothing for too long are all shut down, and so is one that waits later")
    func severalDeadlines() async throws {
        try await running(
            .init(writeTimeout: .seconds(3600), checkInterval: .milliseconds(1)),
            connections: .init(idleTimeout: .milliseconds(1))
        ) { pool, _, _ in
            let pairs = [try pair(), try pair(), try pair()]
            defer { for (one, other) in pairs { _ = (try? one.close(), try? other.close()) } }
            // The pool does not know these connections, which may therefore be silent only.
            async let first: Void = pool.suspendSocket(pairs[0].0, untilReadyFor: .read)
            async let second: Void = pool.suspendSocket(pairs[1].0, untilReadyFor: .read)
            _ = try await (first, second)
            try await pool.suspendSocket(pairs[2].0, untilReadyFor: .read)
            for (socket, _) in pairs {
                #expect(throws: SocketError.disconnected) { try socket.read() }
            }
        }
    }

    @Test("a wait that is not overdue when another one ends is checked again")
    func laterDeadline() async throws {
        let limits = Connections.Limits(requestTimeout: .milliseconds(1), idleTimeout: .seconds(3600))
        let ahead = Mutex(Duration.zero)
        try await running(
            .init(writeTimeout: .seconds(3600), checkInterval: .milliseconds(1)),
            with: Connections(limits: limits), now: { .now + ahead.withLock(\.self) }
        ) { pool, socket, _ in
            let (one, other) = try pair()
            defer { for socket in [one, other] { try? socket.close() } }
            async let later: Void = pool.suspendSocket(one, untilReadyFor: .read)
            try await pool.suspendSocket(socket, untilReadyFor: .read)
            ahead.withLock { $0 = .seconds(7200) }
            try await later
            #expect(throws: SocketError.disconnected) { try one.read() }
        }
    }

    /// Connections whose silence ends at once, so that the deadline shows whether one is idle.
    private func isIdle(_ file: Int32, in connections: Connections) -> Bool {
        let later = Connections.Instant.now + .seconds(1_000_000)
        return connections.deadline(ofWaitOn: file, at: later) == later
    }

    @Test("the pool reports what happens on a connection")
    func events() async throws {
        let connections = Connections(
            limits: .init(requestTimeout: .seconds(3600), idleTimeout: .zero, eachNearby: 1))
        try await running(with: connections) { pool, socket, client in
            let file = socket.file.rawValue
            #expect(!isIdle(file, in: connections))
            pool.willReadHead(socket)
            #expect(isIdle(file, in: connections))
            try await pool.suspendSocket(socket, untilReadyFor: .write)
            #expect(isIdle(file, in: connections))
            unsafe _ = send(client, "x", 1, 0)
            // Later than any deadline, because silence of no duration would end the wait.
            try await pool.suspendSocket(socket, untilReadyFor: .read)
            #expect(!isIdle(file, in: connections))
            pool.willReadHead(socket)
            pool.didReadHead(socket)
            #expect(!isIdle(file, in: connections))
            pool.didUpgrade(socket)
            #expect(isIdle(file, in: connections))
            let address = IPAddress("127.0.0.1")
            #expect(!connections.accepted(-1, from: address, at: .now))
            pool.willClose(socket)
            #expect(connections.accepted(-1, from: address, at: .now))
        }
    }

    @Test("no connection is accepted while all descriptors below the limit are in use")
    func descriptors() async throws {
        try await running(.init(writeTimeout: .seconds(3600), firstReservedDescriptor: 0)) { pool, socket, peer in
            let (listener, port) = try listen()
            let client = try connect(to: port)
            let waiting = Task { try await pool.suspendSocket(listener, untilReadyFor: .connection) }
            // Events on other connections make no difference.
            for _ in 1...100 {
                unsafe _ = send(peer, "x", 1, 0)
                try await pool.suspendSocket(socket, untilReadyFor: .read)
                _ = try socket.read()
            }
            waiting.cancel()
            await #expect(throws: (any Error).self) { try await waiting.value }
            for socket in [listener, client] { try socket.close() }
        }
    }

    @Test("by default, a pool waits ten seconds for a client to read, and checks that every second")
    func usualLimits() {
        #expect(GuardedSocketPool.Limits().writeTimeout == .seconds(10))
        #expect(GuardedSocketPool.Limits().checkInterval == .seconds(1))
    }

    @Test("accepted connections have the pool's TCP options")
    func inherited() async throws {
        try await running(.init(writeTimeout: .seconds(3600), firstReservedDescriptor: .max)) { pool, _, _ in
            let (listener, port) = try listen()
            // The first connection may be made before the pool knows the listener.
            var sockets = [listener]
            for _ in 1...2 {
                sockets.append(try connect(to: port))
                try await pool.suspendSocket(listener, untilReadyFor: .connection)
                sockets.append(Socket(file: try listener.accept().file))
            }
            let accepted = try #require(sockets.last)
            for (option, value) in [(TCP_NODELAY, 1), (TCP_USER_TIMEOUT, 20_000), (TCP_NOTSENT_LOWAT, 16_384)] {
                let name = Int32SocketOption(level: Int32(IPPROTO_TCP), name: option)
                #expect(try accepted.getValue(for: name) == Int32(value))
            }
            var information = tcp_info()
            var length = socklen_t(MemoryLayout<tcp_info>.size)
            #expect(
                unsafe getsockopt(listener.file.rawValue, Int32(IPPROTO_TCP), TCP_INFO, &information, &length) == 0)
            // For a listening socket, this is the length of its queue.
            #expect(information.tcpi_sacked == 128)
            for socket in sockets { try socket.close() }
        }
    }
}
