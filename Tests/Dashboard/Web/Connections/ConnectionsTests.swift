import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Connections")
struct ConnectionsTests {
    private let connections = Connections(
        limits: .init(
            requestTimeout: .seconds(8), idleTimeout: .seconds(45), perClient: 2, network: 3, eachNearby: 4, nearby: 5),
        proxies: TrustedProxies(["10.0.0.0/8"]))
    private let start = Connections.Instant.now

    private func accept(_ file: Int32, from address: String = "192.0.2.1", after seconds: Int = 0) -> Bool {
        connections.accepted(file, from: IPAddress(address), at: start + .seconds(seconds))
    }

    private func deadline(_ file: Int32 = 5, after seconds: Int = 0) -> Duration {
        start.duration(to: connections.deadline(ofWaitOn: file, at: start + .seconds(seconds)))
    }

    @Test(
        "without other limits, a client has eight seconds for a request, however slow, 45 of silence and 256 connections"
    )
    func usualLimits() {
        let connections = Connections(limits: .init())
        let address = IPAddress("192.0.2.1")
        for file in Int32(1)...256 { #expect(connections.accepted(file, from: address, at: start)) }
        #expect(!connections.accepted(257, from: address, at: start))
        #expect(connections.deadline(ofWaitOn: 1, at: start) == start + .seconds(8))
        connections.bytesArrived(on: 1, at: start + .seconds(3))
        #expect(connections.deadline(ofWaitOn: 1, at: start + .seconds(3)) == start + .seconds(8))
        connections.answered(on: 1)
        #expect(connections.deadline(ofWaitOn: 1, at: start) == start + .seconds(45))
    }

    @Test("an unknown connection may be silent for 45 seconds, and its bytes do not begin a request")
    func unknown() {
        connections.bytesArrived(on: 9, at: start)
        #expect(deadline(9) == .seconds(45))
    }

    @Test("connections that end free their places among all clients")
    func totalFreed() {
        for file in Int32(1)...3 { _ = accept(file, from: "192.0.2.\(file)") }
        connections.closed(2)
        #expect(accept(4, from: "192.0.2.4"))
        #expect(!accept(5, from: "192.0.2.5"))
    }

    @Test("a connection has eight seconds for a body, counted from its head")
    func body() {
        _ = accept(5)
        connections.headRead(on: 5, at: start + .seconds(7))
        connections.bytesArrived(on: 5, at: start + .seconds(10))
        #expect(deadline(after: 10) == .seconds(15))
    }

    @Test(
        "a connection may be silent for 45 seconds between requests, and has eight from the first byte of the next head"
    )
    func nextHead() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.answered(on: 5)
        #expect(deadline(after: 1) == .seconds(46))
        connections.bytesArrived(on: 5, at: start + .seconds(20))
        #expect(deadline(after: 21) == .seconds(28))
    }

    @Test("data on a WebSocket does not begin a head, and the next connection with its descriptor has eight seconds")
    func webSocket() {
        _ = accept(5)
        connections.headRead(on: 5, at: start)
        connections.upgraded(5)
        connections.bytesArrived(on: 5, at: start + .seconds(20))
        #expect(deadline(after: 20) == .seconds(65))
        connections.closed(5)
        _ = accept(5, after: 60)
        #expect(deadline(after: 60) == .seconds(68))
    }

    @Test("the limit of connections applies to the whole /64 of an IPv6 address")
    func perNetwork() {
        #expect(accept(1, from: "2001:db8::1"))
        #expect(accept(2, from: "2001:db8::2"))
        #expect(!accept(3, from: "2001:db8::3"))
        #expect(accept(4, from: "2001:db8:0:1::1"))
    }

    @Test("a connection that ends frees its place exactly once, and a refused one frees none")
    func closed() {
        for file in Int32(1)...2 { _ = accept(file) }
        #expect(!accept(3))
        connections.closed(3)
        #expect(!accept(3))
        connections.closed(1)
        connections.closed(1)
        #expect(accept(1))
        #expect(!accept(3))
    }

    @Test(
        "this machine, an unknown address and each trusted proxy have more connections than others, but not any number",
        arguments: ["127.0.0.1", "::1", "10.1.2.3", "unknown"])
    func eachNearby(address: String) {
        for file in Int32(1)...4 { #expect(accept(file, from: address)) }
        #expect(!accept(5, from: address))
        connections.closed(1)
        #expect(accept(5, from: address))
    }

    @Test("this machine and all trusted proxies together do not take the connections of the network, nor the reverse")
    func sides() {
        for file in Int32(1)...4 { #expect(accept(file, from: "127.0.0.1")) }
        #expect(accept(5, from: "10.1.2.3"))
        #expect(!accept(6, from: "10.9.9.9"))
        for file in Int32(7)...9 { #expect(accept(file, from: "192.0.2.\(file)")) }
        #expect(!accept(10, from: "192.0.2.10"))
    }
}
