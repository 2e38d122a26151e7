import FlyingFox
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("The sender of a request")
struct ClientTests {
    private func client(
        at address: String, trusting proxies: [String] = [], _ headers: [String: String] = [:]
    ) throws -> Client {
        var request = HTTPRequest.sample(headers: headers)
        request.remoteAddress = address.contains(":") ? .ip6(address, port: 1) : .ip4(address, port: 1)
        return TrustedProxies(proxies).client(of: request)
    }

    private func network(_ text: String) throws -> IPNetwork { try #require(IPNetwork(text)) }

    @Test(
        "is whom the connection comes from, whatever it says of itself",
        arguments: ["127.0.0.1", "192.0.2.1"])
    func untrusted(address: String) throws {
        let client = try client(at: address, ["X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"])
        #expect(client == Client(network: try network(address), usesTLS: false, isLocal: false))
    }

    @Test("is a program of this machine if it comes over loopback, and nobody forwarded it")
    func local() throws {
        #expect(try client(at: "127.0.0.1").isLocal)
        #expect(try client(at: "::1").isLocal)
        #expect(try !client(at: "192.0.2.1").isLocal)
        #expect(try !client(at: "127.0.0.1", trusting: ["127.0.0.1"]).isLocal)
    }

    @Test(
        "is not a program of this machine when a proxy shows in any way",
        arguments: ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
    func forwardedLocally(header: String) throws {
        #expect(try !client(at: "127.0.0.1", [header: "127.0.0.1"]).isLocal)
    }

    @Test("is a /64 of IPv6, whose addresses one customer has to choose from")
    func prefix() throws {
        #expect(try client(at: "2001:db8:1:2:3::4") == client(at: "2001:db8:1:2:ffff::1"))
        #expect(try client(at: "2001:db8:1:2::1") != client(at: "2001:db8:1:3::1"))
    }

    @Test("of an IPv4-mapped address is that IPv4 address")
    func mapped() throws {
        #expect(try client(at: "::ffff:192.0.2.1").network == network("192.0.2.1"))
    }

    @Test(
        "is the last one in X-Forwarded-For that a trusted proxy wrote",
        arguments: [
            ("192.0.2.9", "192.0.2.9"), ("203.0.113.1, 192.0.2.9", "192.0.2.9"),
            ("203.0.113.1,\t192.0.2.9", "192.0.2.9"), ("192.0.2.9, 10.1.2.3", "192.0.2.9"),
            ("203.0.113.1, 192.0.2.9, 10.1.2.3, 10.3.2.1", "192.0.2.9"),
            ("192.0.2.9:49152", "192.0.2.9"), ("[2001:db8::1]:49152", "2001:db8::/64"),
            ("2001:db8::1", "2001:db8::/64"),
            ("[2001:db8::1]", "2001:db8::/64"),
            // Nothing of it can be believed, or there is nothing.
            ("203.0.113.1, nonsense", "127.0.0.1"), ("203.0.113.1, ", "127.0.0.1"), ("", "127.0.0.1"),
            ("unknown, 10.1.2.3", "10.1.2.3"),
        ])
    func forwarded(header: String, sender: String) throws {
        let client = try client(
            at: "127.0.0.1", trusting: ["127.0.0.1", "10.0.0.0/8"], header.isEmpty ? [:] : ["X-Forwarded-For": header])
        #expect(client.network == (try network(sender)))
    }

    @Test(
        "has an encrypted connection if its trusted proxy says so",
        arguments: [("https", true), ("HTTPS", true), ("http, https", true), ("https, http", false), ("http", false)])
    func scheme(header: String, usesTLS: Bool) throws {
        #expect(try client(at: "::1", trusting: ["::1"], ["X-Forwarded-Proto": header]).usesTLS == usesTLS)
    }
}
