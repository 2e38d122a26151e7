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
}
