import FlyingSocks
import Glibc
import Testing

@testable import Dashboard

@Suite("Guarded socket pool", .timeLimit(.minutes(20)))
struct GuardedSocketPoolTests {
    /// Runs a pool around a test, which gets one of two connected sockets and the descriptor of the other.
    private func running(
        _ limits: GuardedSocketPool.Limits = .init(), connections: Connections.Limits = .init(),
        _ test: (GuardedSocketPool, Socket, Int32) async throws -> Void
    ) async throws {
        let pool = GuardedSocketPool(
            limits: limits, connections: Connections(limits: connections) { _ in false })
        try await pool.prepare()
        let task = Task { try await pool.run() }
        let listener = try Socket(domain: AF_INET)
        try listener.bind(to: try .inet(ip4: "127.0.0.1", port: 0))
        try listener.listen()
        guard case .ip4(_, let port) = try listener.sockname() else { return }
        let client = try Socket(domain: AF_INET)
        try client.connect(to: try .inet(ip4: "127.0.0.1", port: port))
        let accepted = Socket(file: try listener.accept().file)
        pool.didAccept(accepted)
        try await test(pool, accepted, client.file.rawValue)
        task.cancel()
        _ = await task.result
        for socket in [listener, client, accepted] { try socket.close() }
    }

    @Test("a connection that sends nothing for too long is shut down")
    func readDeadline() async throws {
        try await running(connections: .init(request: .milliseconds(1))) { pool, socket, _ in
            try await pool.suspendSocket(socket, untilReadyFor: .read)
            #expect(throws: SocketError.disconnected) { try socket.read() }
        }
    }

    @Test("a connection that reads nothing for too long is shut down")
    func writeDeadline() async throws {
        try await running(.init(write: .milliseconds(1))) { pool, socket, _ in
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
        try await running(connections: .init(perClient: 0)) { pool, socket, _ in
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

    @Test("accepted connections have the pool's TCP options")
    func inherited() async throws {
        try await running(.init(descriptors: .max)) { pool, _, _ in
            let listener = try Socket(domain: AF_INET)
            try listener.bind(to: try .inet(ip4: "127.0.0.1", port: 0))
            try listener.listen()
            guard case .ip4(_, let port) = try listener.sockname() else { return }
            // The first connection may be made before the pool knows the listener.
            var sockets = [listener]
            for _ in 1...2 {
                sockets.append(try Socket(domain: AF_INET))
                try sockets.last?.connect(to: try .inet(ip4: "127.0.0.1", port: port))
                try await pool.suspendSocket(listener, untilReadyFor: .connection)
                sockets.append(Socket(file: try listener.accept().file))
            }
            let accepted = try #require(sockets.last)
            for (option, value) in [(TCP_NODELAY, 1), (TCP_USER_TIMEOUT, 20_000), (TCP_NOTSENT_LOWAT, 16_384)] {
                let name = Int32SocketOption(level: Int32(IPPROTO_TCP), name: option)
                #expect(try accepted.getValue(for: name) == Int32(value))
            }
            for socket in sockets { try socket.close() }
        }
    }
}
