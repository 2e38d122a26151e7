import Testing

@testable import Swatchcam

@Suite("Connections")
struct ConnectionsTests {
    private let limits = Connections.Limits(head: .seconds(8), silence: .seconds(45), perHost: 2)
    private let start = Connections.Instant.now
    private let connections: Connections
    /// Who is at the other end of which descriptor.
    private let peers = Latest<[Int32: Peer]>([:])
    private let client = Peer(host: "192.0.2.1", port: 1)

    init() {
        connections = Connections(limits: limits) { [peers] in peers.value[$0] }
    }

    /// Lets a connection wait, which is open.
    private func deadline(_ file: Int32, _ peer: Peer, after seconds: Int = 0) -> Connections.Instant? {
        peers.update { $0[file] = peer }
        return connections.deadline(ofWaitOn: file, from: peer, at: start + .seconds(seconds))
    }

    @Test("have a while for the first head, however slowly it comes")
    func firstHead() {
        #expect(deadline(5, client) == start + limits.head)
        connections.bytesCame(on: 5, at: start + .seconds(3))
        #expect(deadline(5, client, after: 3) == start + limits.head)
    }

    @Test("may be silent for longer between requests")
    func betweenRequests() {
        _ = deadline(5, client)
        connections.served(client)
        #expect(deadline(5, client, after: 1) == start + .seconds(1) + limits.silence)
    }

    @Test("have a while for the next head from its first byte on")
    func nextHead() {
        _ = deadline(5, client)
        connections.served(client)
        _ = deadline(5, client, after: 1)
        connections.bytesCame(on: 5, at: start + .seconds(20))
        #expect(deadline(5, client, after: 21) == start + .seconds(20) + limits.head)
    }

    @Test("that are WebSockets send no heads")
    func webSocket() {
        _ = deadline(5, client)
        connections.served(client)
        connections.opened(client)
        connections.bytesCame(on: 5, at: start + .seconds(20))
        #expect(deadline(5, client, after: 20) == start + .seconds(20) + limits.silence)
    }

    @Test("whose first request was there at once are known all the same")
    func early() {
        connections.served(client)
        connections.opened(client)
        #expect(deadline(5, client) == start + limits.silence)
    }

    @Test("begin anew when another client has the descriptor")
    func reusedDescriptor() {
        _ = deadline(5, client)
        connections.served(client)
        let other = Peer(host: "192.0.2.1", port: 2)
        #expect(deadline(5, other, after: 60) == start + .seconds(60) + limits.head)
    }

    @Test("from a port that another connection had before are not taken for that")
    func reusedPort() {
        _ = deadline(5, client)
        peers.publish([:])
        connections.served(client)
        connections.opened(client)
        #expect(connections.file(of: client) == nil)
        #expect(deadline(6, client) == start + limits.silence)
        #expect(connections.file(of: client) == 6)
    }

    @Test("are limited for each address")
    func perHost() {
        for port in UInt16(1)...2 { #expect(deadline(Int32(port), Peer(host: "192.0.2.1", port: port)) != nil) }
        #expect(deadline(3, Peer(host: "192.0.2.1", port: 3)) == nil)
        #expect(deadline(4, Peer(host: "192.0.2.2", port: 4)) != nil)
    }

    @Test("that are gone give their places back")
    func gone() {
        for port in UInt16(1)...2 { _ = deadline(Int32(port), Peer(host: "192.0.2.1", port: port)) }
        peers.publish([:])
        #expect(deadline(3, Peer(host: "192.0.2.1", port: 3)) != nil)
    }

    @Test("of this machine are not limited: a proxy speaks for many")
    func local() {
        for port in UInt16(1)...9 { #expect(deadline(Int32(port), Peer(host: "127.0.0.1", port: port)) != nil) }
    }
}
