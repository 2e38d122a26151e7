import Testing

@testable import Configuration
@testable import Dashboard

@Suite("A connection")
struct ConnectionsTests {
    private let connections = Connections(
        limits: .init(request: .seconds(8), silence: .seconds(45), perClient: 2, total: 3))
    private let start = Connections.Instant.now

    private func accept(_ file: Int32, from address: String = "192.0.2.1", after seconds: Int = 0) -> Bool {
        connections.accepted(file, from: IPAddress(address), at: start + .seconds(seconds))
    }

    private func deadline(_ file: Int32 = 5, after seconds: Int = 0) -> Duration {
        start.duration(to: connections.deadline(ofWaitOn: file, at: start + .seconds(seconds)))
    }

    @Test("has eight seconds for its first head, however slowly it comes")
    func firstHead() {
        _ = accept(5)
        #expect(deadline() == .seconds(8))
        connections.bytesCame(on: 5, at: start + .seconds(3))
        #expect(deadline(after: 3) == .seconds(8))
    }

    @Test("has eight seconds for a body, from its head on")
    func body() {
        _ = accept(5)
        connections.headRead(on: 5, at: start + .seconds(7))
        connections.bytesCame(on: 5, at: start + .seconds(10))
        #expect(deadline(after: 10) == .seconds(15))
    }

    @Test("may be silent for 45 seconds between requests")
    func betweenRequests() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.answered(on: 5)
        #expect(deadline(after: 1) == .seconds(46))
    }

    @Test("has eight seconds for the next head, from its first byte on")
    func nextHead() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.answered(on: 5)
        connections.bytesCame(on: 5, at: start + .seconds(20))
        #expect(deadline(after: 21) == .seconds(28))
    }

    @Test("that is a WebSocket sends no heads")
    func webSocket() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.upgraded(5)
        connections.bytesCame(on: 5, at: start + .seconds(20))
        #expect(deadline(after: 20) == .seconds(65))
    }

    @Test("that has the descriptor and the port of a WebSocket before it has eight seconds for its head")
    func reused() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.upgraded(5)
        connections.closed(5)
        _ = accept(5, after: 60)
        #expect(deadline(after: 60) == .seconds(68))
    }

    @Test("is refused to a client that has as many as one may have, not to another")
    func perClient() {
        #expect(accept(1))
        #expect(accept(2))
        #expect(!accept(3))
        #expect(accept(4, from: "192.0.2.2"))
    }

    @Test("counts for the whole /64 of an IPv6 address")
    func perNetwork() {
        #expect(accept(1, from: "2001:db8::1"))
        #expect(accept(2, from: "2001:db8::2"))
        #expect(!accept(3, from: "2001:db8::3"))
        #expect(accept(4, from: "2001:db8:0:1::1"))
    }

    @Test("is refused when all clients together have as many as there may be")
    func total() {
        for file in Int32(1)...3 { #expect(accept(file, from: "192.0.2.\(file)")) }
        #expect(!accept(4, from: "192.0.2.4"))
    }

    @Test("gives its place back when it ends, and only once")
    func closed() {
        for file in Int32(1)...2 { _ = accept(file) }
        connections.closed(1)
        connections.closed(1)
        #expect(accept(1))
        #expect(!accept(3))
    }

    @Test("that was refused gives no place back")
    func refused() {
        for file in Int32(1)...2 { _ = accept(file) }
        #expect(!accept(3))
        connections.closed(3)
        #expect(!accept(3))
    }

    @Test("of this machine is never refused: a proxy speaks for many", arguments: ["127.0.0.1", "::1"])
    func local(address: String) {
        for file in Int32(1)...9 { #expect(accept(file, from: address)) }
        #expect(accept(10, from: "192.0.2.1"))
    }
}
