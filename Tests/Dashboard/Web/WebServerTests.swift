import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Web server", .timeLimit(.minutes(20)))
struct WebServerTests {
    private let readings = Latest(Reading.noCamera)
    private let config = Latest(Settings())
    private let pictures = PictureHub()

    private func makeServer(
        address: String = "127.0.0.1", port: UInt16 = 0,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Task.sleep(for: .seconds(3600)) }
    ) throws -> WebServer {
        config.update { ($0.effective.web.address, $0.effective.web.port) = (address, port) }
        var shared = try SharedState.sample()
        (shared.config, shared.readings, shared.pictures) = (config, readings, pictures)
        shared.clocks.sleep = sleep
        return WebServer(shared: shared, pages: try Pages(templates: nil, resources: nil))
    }

    /// A server that runs, and a client of it.
    private struct Running {
        let server: WebServer
        let address: ListeningAddress
        let client: RawClient
        let task: Task<Void, any Error>

        init(_ server: WebServer) async throws {
            self.server = server
            task = Task { try await server.run() }
            address = try #require(await server.waitUntilListening())
            client = try await RawClient(address)
        }

        /// Opens a WebSocket, which gets a first reading.
        func upgrade() async throws {
            try await client.upgrade(address)
            #expect(try await client.frame().opcode == 1)
        }
    }

    /// Runs a server around a test.
    private func serving(_ server: WebServer? = nil, _ test: (Running) async throws -> Void) async throws {
        let running = try await Running(server ?? makeServer())
        defer { running.client.close() }
        try await test(running)
        await running.server.stop()
        try await running.task.value
    }

    @Test("several requests on one connection are answered", arguments: ["127.0.0.1", "::1"])
    func keepAlive(address: String) async throws {
        try await serving(makeServer(address: address)) { running in
            for _ in 1...3 {
                try await running.client.send("GET /api/reading HTTP/1.1\r\nHost: \(running.address)\r\n\r\n")
                let (head, body) = try await running.client.response()
                #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(body == String(decoding: Reading.noCamera.json(), as: UTF8.self))
            }
        }
    }

    @Test("a WebSocket gets the reason for a missing colour immediately, and then each reading")
    func push() async throws {
        try await serving { running in
            let client = running.client
            try await client.upgrade(running.address)
            #expect(try await client.frame() == .init(opcode: 1, payload: Reading.noCamera.json()))
            for sequence in UInt64(2000)...2100 {
                // The pong shows that the connection is being read. From then on, frames take the direct path.
                if sequence == 2010 {
                    try await client.send(opcode: 9, Data("known?".utf8))
                    #expect(try await client.frame().opcode == 10)
                }
                let reading = Reading.sample.with { $0.sequence = sequence }
                readings.publish(reading)
                #expect(try await client.frame() == .init(opcode: 1, payload: reading.json()))
            }
        }
    }

    @Test("a WebSocket does not get a colour from before it was opened, if there was no other one")
    func noOldColor() async throws {
        readings.publish(.sample)
        try await serving { running in
            let (address, client) = (running.address, running.client)
            try await client.upgrade(address)
            let known = Reading.sample.with { $0.sequence = 1 }
            readings.publish(known)
            // This may be preceded by the reading from before, if the server was slow to start.
            while try await client.frame() != .init(opcode: 1, payload: known.json()) {}
            try await client.send(opcode: 8, Data())
            await waitUntil("the client has left") { running.server.broadcaster.count == 0 }
            let late = try await RawClient(address)
            defer { late.close() }
            try await late.upgrade(address)
            // A colour from before would be sent between the two pongs.
            for _ in 1...2 {
                try await late.send(opcode: 9, Data())
                #expect(try await late.frame().opcode == 10)
            }
            let next = Reading.sample.with { $0.sequence = 2 }
            readings.publish(next)
            #expect(try await late.frame() == .init(opcode: 1, payload: next.json()))
        }
    }

    @Test("the WebSockets of a running server are pinged every 15 s")
    func pings() async throws {
        // Each update ends a wait for the next ping.
        let (ticks, period) = (Latest(0), Latest(Duration.zero))
        let server = try makeServer { duration in
            period.publish(duration)
            for await _ in ticks.updates() { return }
            throw CancellationError()
        }
        try await serving(server) { running in
            try await running.upgrade()
            for _ in 1...2 {
                await waitUntil("the server waits for the next ping") { ticks.isObserved }
                ticks.update { $0 += 1 }
                #expect(try await running.client.frame().opcode == 9)
            }
            #expect(period.value == .seconds(15))
        }
    }

    @Test("changed tokens close the WebSockets of a running server")
    func newTokens() async throws {
        try await serving { running in
            try await running.upgrade()
            config.update { $0.effective.web.token = Token(String(repeating: "n", count: 32)) }
            #expect(try await running.client.frame().closeCode == 1008)
        }
    }

    @Test("a stopped server accepts no viewers of pictures")
    func noPictures() async throws {
        let server = try makeServer()
        #expect(pictures.join(.live) != nil)
        await server.stop()
        #expect(pictures.join(.live) == nil)
    }

    @Test("a stopping server closes WebSockets with the status for going away")
    func stop() async throws {
        let running = try await Running(makeServer())
        let client = running.client
        defer { client.close() }
        try await running.upgrade()
        async let stopped: Void = running.server.stop()
        let close = try await client.frame()
        #expect(close.closeCode == 1001)
        try await client.send(opcode: 8, close.payload)
        #expect(await client.isEnded())
        await stopped
        try await running.task.value
        #expect(running.server.broadcaster.count == 0)
    }

    @Test("the server stops in an orderly way if its task is cancelled")
    func cancellation() async throws {
        try await serving { running in
            try await running.upgrade()
            running.task.cancel()
            #expect(try await running.client.frame().closeCode == 1001)
        }
    }

    @Test("the server can be stopped before it listens")
    func stopEarly() async throws {
        let server = try makeServer()
        await server.stop()
        try await server.run()
        #expect(await server.waitUntilListening() == nil)
    }

    @Test("the server ends a connection after a body that it does not read", .needs(.wholeRequests))
    func forgedRequests() async throws {
        try await serving { running in
            let (address, client) = (running.address, running.client)
            try await client.send(
                "POST / HTTP/1.1\r\nHost: \(address)\r\nContent-Length: 3000000\r\n\r\n"
                    + "GET /api/reading HTTP/1.1\r\nHost: \(address)\r\n\r\n")
            #expect(try await client.response().head.hasPrefix("HTTP/1.1 413 "))
            #expect(await client.isEnded())
        }
    }

    @Test("the error for a port in use says what to do")
    func addressInUse() async throws {
        try await serving { running in
            let address = running.address
            let second = try makeServer(port: address.port)
            let error = await #expect(throws: WebError.self) { try await second.run() }
            #expect(
                error?.description
                    == "127.0.0.1:\(address.port): address already in use. Another program, perhaps another Swatchcam, "
                    + "listens there; stop it or choose another port with --port or web.port")
            #expect(await second.waitUntilListening() == nil)
        }
    }

    @Test(
        "the error for an address that cannot be listened on says what to do",
        arguments: [
            // Without the patches, the server refuses every address but loopback, without trying it.
            ("192.0.2.1", FlyingFoxPatches.arePresent ? "this machine has no such address" : "on this machine only"),
            ("localhost", "not an IPv4 or IPv6 address"),
        ])
    func badAddress(address: String, problem: String) async throws {
        let server = try makeServer(address: address)
        let error = await #expect(throws: WebError.self) { try await server.run() }
        #expect(error?.description.contains(problem) == true)
    }

    @Test("the server ends with an error when its listening socket fails")
    func failure() async throws {
        let running = try await Running(makeServer())
        defer { running.client.close() }
        let listener = try #require((0..<4096).first { listeningPort(of: $0) == running.address.port })
        shutdown(listener, Int32(SHUT_RDWR))
        let error = await #expect(throws: WebError.self) { try await running.task.value }
        #expect(error?.description.hasPrefix("\(running.address): the web server failed: ") == true)
        #expect(await running.server.waitUntilListening() == nil)
    }

    /// The port that a descriptor listens on; nil if it is not a listening IPv4 socket.
    private func listeningPort(of descriptor: Int32) -> UInt16? {
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1
        else { return nil }
        var address = sockaddr_in()
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
        }
        return isKnown && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    @Test(
        "the address is written as people would enter it",
        arguments: [
            (ListeningAddress(host: "127.0.0.1", port: 8080), "http://127.0.0.1:8080/"),
            (ListeningAddress(host: "::1", port: 80), "http://[::1]:80/"),
            (ListeningAddress(host: "0.0.0.0", port: 8080), "http://localhost:8080/"),
        ])
    func url(address: ListeningAddress, expected: String) {
        #expect(address.url == expected)
    }
}
