import FlyingFox
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Client of a request")
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
        "the client is the connection's peer, whatever untrusted headers say",
        arguments: ["127.0.0.1", "192.0.2.1"])
    func untrusted(address: String) throws {
        let client = try client(at: address, ["X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"])
        #expect(client == Client(network: try network(address), usesTLS: false, isLocal: false))
    }

    @Test(
        "the scheme of a WebSocket says as much of TLS as that of a request",
        arguments: [("https", true), ("wss", true), ("WSS", true), ("ws", false), ("http", false), ("", false)])
    func scheme(scheme: String, usesTLS: Bool) throws {
        let client = try client(at: "10.0.0.1", trusting: ["10.0.0.1"], ["X-Forwarded-Proto": scheme])
        #expect(client.usesTLS == usesTLS)
    }

    @Test(
        "the path under which trusted proxies show the pages is what they have removed, joined; anything else is no path",
        arguments: [
            ("/swatch", "/swatch"), ("/swatch/", "/swatch"), ("/a, /b/c", "/a/b/c"), ("", ""), ("/", ""),
            ("/<b>", ""), ("/a b", ""), ("/../x", ""), ("//other.example", "/other.example"),
            ("/" + String(repeating: "x", count: 200), ""),
        ])
    func mount(header: String, prefix: String) throws {
        #expect(
            try client(at: "10.0.0.1", trusting: ["10.0.0.1"], ["X-Forwarded-Prefix": header]).prefix == prefix)
        #expect(try client(at: "10.0.0.2", trusting: ["10.0.0.1"], ["X-Forwarded-Prefix": header]).prefix == "")
    }

    @Test("only a connection from an ingress is admitted, whatever it forwards")
    func ingress() throws {
        let proxies = TrustedProxies(["10.0.0.1"], ingress: ["172.30.32.2"])
        func isAdmitted(_ address: String) -> Bool {
            var request = HTTPRequest.sample(headers: ["X-Forwarded-For": "172.30.32.2, 192.0.2.1"])
            request.remoteAddress = .ip4(address, port: 1)
            return proxies.client(of: request).isAdmitted
        }
        #expect(isAdmitted("172.30.32.2"))
        #expect(!isAdmitted("10.0.0.1") && !isAdmitted("172.30.32.3"))
    }

    @Test("a client is local if its connection is from loopback and was not forwarded")
    func local() throws {
        #expect(try client(at: "127.0.0.1").isLocal)
        #expect(try client(at: "::1").isLocal)
        #expect(try !client(at: "192.0.2.1").isLocal)
        #expect(try !client(at: "127.0.0.1", trusting: ["127.0.0.1"]).isLocal)
    }

    @Test(
        "a client is not local if any header shows a proxy",
        arguments: ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
    func forwardedLocally(header: String) throws {
        #expect(try !client(at: "127.0.0.1", [header: "127.0.0.1"]).isLocal)
    }

    @Test("an IPv6 client is identified by its /64, which one customer can use, or by the IPv4 address that is mapped")
    func prefix() throws {
        #expect(try client(at: "2001:db8:1:2:3::4") == client(at: "2001:db8:1:2:ffff::1"))
        #expect(try client(at: "2001:db8:1:2::1") != client(at: "2001:db8:1:3::1"))
        #expect(try client(at: "::ffff:192.0.2.1").network == network("192.0.2.1"))
    }

    @Test(
        "the client is the last address in X-Forwarded-For that a trusted proxy wrote",
        arguments: [
            ("192.0.2.9", "192.0.2.9"), ("203.0.113.1, 192.0.2.9", "192.0.2.9"),
            ("203.0.113.1,\t192.0.2.9", "192.0.2.9"), ("192.0.2.9, 10.1.2.3", "192.0.2.9"),
            ("203.0.113.1, 192.0.2.9, 10.1.2.3, 10.3.2.1", "192.0.2.9"),
            ("192.0.2.9:49152", "192.0.2.9"), ("[2001:db8::1]:49152", "2001:db8::/64"),
            ("2001:db8::1", "2001:db8::/64"),
            ("[2001:db8::1]", "2001:db8::/64"),
            // Either nothing in it can be trusted, or it is empty.
            ("203.0.113.1, nonsense", "127.0.0.1"), ("203.0.113.1, ", "127.0.0.1"), ("", "127.0.0.1"),
            ("unknown, 10.1.2.3", "10.1.2.3"),
        ])
    func forwarded(header: String, sender: String) throws {
        let client = try client(
            at: "127.0.0.1", trusting: ["127.0.0.1", "10.0.0.0/8"], header.isEmpty ? [:] : ["X-Forwarded-For": header])
        #expect(client.network == (try network(sender)))
    }

    @Test(
        "a connection counts as encrypted if its trusted proxy says so",
        arguments: [("https", true), ("HTTPS", true), ("http, https", true), ("https, http", false), ("http", false)])
    func scheme(header: String, usesTLS: Bool) throws {
        #expect(try client(at: "::1", trusting: ["::1"], ["X-Forwarded-Proto": header]).usesTLS == usesTLS)
    }
}
