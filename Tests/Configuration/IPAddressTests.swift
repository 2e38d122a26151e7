import Testing

@testable import Configuration

@Suite("An address")
struct IPAddressTests {
    @Test(
        "is an address from its first to its last byte",
        arguments: ["127.0.0.1\0", "127.0.0.1\0.example.org", "::1\0", "\0", ""])
    func more(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "is this machine's own, however it is written",
        arguments: ["127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])
    func loopback(text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopback)
    }
}
