import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff

@Suite("Client for the running instance")
struct InstanceClientTests {
    @Test("by default, a client on this machine waits five seconds for an answer")
    func defaultTimeLimit() async {
        let limit = Latest<Duration?>(nil)
        let client = InstanceClient(Config.Web(port: 1), clocks: Clocks().sleeping { limit.publish($0) })
        _ = await client.get("/")
        await waitUntil("the client has begun to wait") { limit.value != nil }
        #expect(limit.value == .seconds(5))
    }

    @Test(
        "a client on this machine reaches a server on all addresses over the loopback address",
        arguments: [
            ("0.0.0.0", "127.0.0.1:80"), ("::", "[::1]:80"), ("192.0.2.1", "192.0.2.1:80"), ("::2", "[::2]:80"),
        ])
    func loopback(address: String, reached: String) {
        #expect(InstanceClient(Config.Web(address: address, port: 80)).address.description == reached)
    }
}
