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
        "loopback addresses and those that stand for every address of the machine are recognised, in any form",
        arguments: [
            ("127.0.0.1", true, false), ("127.255.0.9", true, false), ("::1", true, false),
            ("0:0:0:0:0:0:0:1", true, false), ("::ffff:127.0.0.1", true, false), ("0.0.0.0", false, true),
            ("::", false, true), ("::ffff:0.0.0.0", false, true), ("126.0.0.1", false, false),
            ("128.0.0.1", false, false), ("::2", false, false), ("1::1", false, false), ("::1:0:0:1", false, false),
            ("::fffe:7f00:1", false, false), ("0.0.0.1", false, false),
        ])
    func kinds(text: String, isLoopback: Bool, isWildcard: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect((address.isLoopback, address.isWildcard) == (isLoopback, isWildcard))
    }

    @Test(
        "an IPv4-mapped IPv6 address is the IPv4 address, and no other IPv6 address is",
        arguments: [("::ffff:192.0.2.1", 4), ("::fffe:192.0.2.1", 16), ("1::ffff:192.0.2.1", 16), ("::192.0.2.1", 16)])
    func mapped(text: String, count: Int) throws {
        #expect(try #require(IPAddress(text)).bytes.count == count)
    }
}
