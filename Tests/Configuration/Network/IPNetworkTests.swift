import Testing

@testable import Configuration

@Suite("IP networks")
struct IPNetworkTests {
    @Test(
        "a network contains the addresses that begin with its bits",
        arguments: [
            ("192.168.0.0/16", "192.168.255.255", true), ("192.168.0.0/16", "192.169.0.0", false),
            ("192.168.7.9/16", "192.168.0.1", true), ("10.0.0.0/9", "10.127.0.1", true),
            ("10.0.0.0/9", "10.128.0.1", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.0", false),
            ("0.0.0.0/0", "203.0.113.7", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::1", "::1", true), ("::/0", "::1", true),
            ("::/0", "192.0.2.1", false), ("2001:db8::/33", "2001:db8:7fff::", true),
            ("2001:db8::/33", "2001:db8:8000::", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1/128", "2001:db8::1", true), ("2001:db8::1/128", "2001:db8::2", false),
            ("192.0.2.1/32", "192.0.2.1", true), ("192.0.2.1/32", "192.0.2.0", false),
            ("192.0.2.8/29", "192.0.2.15", true), ("192.0.2.8/29", "192.0.2.16", false),
        ])
    func contains(network: String, address: String, isIn: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(try #require(IPNetwork(network)).contains(address) == isIn)
    }

    @Test(
        "a text in another form is not a network",
        arguments: [
            "", "/", "localhost", "192.168.0.0/33", "::/129", "192.168.0.0/", "192.168.0.0/+8", "192.168.0.0/8/8",
            "192.168.0.0/ 8", "/8", "192.168.0/16", "[::1]", "::1%lo", "::ffff:10.0.0.0/104", "10.0.0.0/٨",
            "10.0.0.0/0008",
        ])
    func unreadable(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(
        "a network is written as its first address and its length; that of a client is its address or its /64",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1/24", "192.0.2.0/24"), ("2001:DB8:0:0:1::5/64", "2001:db8::/64"),
            ("::1", "::1"),
        ])
    func description(text: String, name: String) throws {
        #expect(try #require(IPNetwork(text)).description == name)
        for (address, network) in [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64")] {
            #expect(IPNetwork.ofClient(at: try #require(IPAddress(address))).description == network)
        }
    }
}
