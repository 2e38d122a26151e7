import Testing

@testable import Configuration

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "a text with bytes after the address, or without an address, is not an address",
        arguments: ["127.0.0.1\0", "127.0.0.1\0.example.org", "::1\0", "\0", ""])
    func more(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "a loopback address is recognised, however it is written",
        arguments: ["127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])
    func loopback(text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopback)
    }

    @Test(
        "any other address is not a loopback address",
        arguments: ["126.0.0.1", "128.0.0.1", "::2", "::", "0.0.0.0", "1::1", "::1:0:0:1", "::fffe:7f00:1"])
    func noLoopback(text: String) throws {
        #expect(try !#require(IPAddress(text)).isLoopback)
    }

    @Test(
        "0.0.0.0 and :: stand for every address of the machine, and no other address does",
        arguments: [("0.0.0.0", true), ("::", true), ("::ffff:0.0.0.0", true), ("0.0.0.1", false), ("::1", false)])
    func wildcard(text: String, isWildcard: Bool) throws {
        #expect(try #require(IPAddress(text)).isWildcard == isWildcard)
    }

    @Test(
        "an IPv4-mapped IPv6 address is the IPv4 address, and no other IPv6 address is",
        arguments: [("::ffff:192.0.2.1", 4), ("::fffe:192.0.2.1", 16), ("1::ffff:192.0.2.1", 16), ("::192.0.2.1", 16)])
    func mapped(text: String, count: Int) throws {
        #expect(try #require(IPAddress(text)).bytes.count == count)
    }
}
