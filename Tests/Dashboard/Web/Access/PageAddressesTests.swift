import Testing

@testable import Configuration
@testable import Dashboard

@Suite("The addresses of the pages")
struct PageAddressesTests {
    private func found(_ web: Config.Web, host: String?, _ client: Client = Client()) -> PageAddresses {
        PageAddresses(web, host: host, client: client, machine: ["192.168.1.7", "10.0.0.7"])
    }

    private func addresses(
        _ web: Config.Web, host: String? = "localhost:8080", _ client: Client = Client()
    ) -> [String] {
        found(web, host: host, client).all
    }

    @Test(
        "on loopback, no other device reaches the pages until the server listens on the addresses of the machine",
        arguments: ["127.0.0.1", "::1", "localhost"])
    func loopback(address: String) {
        let found = found(Config.Web(address: address), host: "localhost:8080")
        #expect(found.all.isEmpty)
        #expect(found.future == ["http://192.168.1.7:8080/", "http://10.0.0.7:8080/"])
    }

    @Test("on every network, they have the addresses of the machine, after the names that the configuration allows")
    func everywhere() {
        var web = Config.Web(address: "0.0.0.0")
        #expect(addresses(web) == ["http://192.168.1.7:8080/", "http://10.0.0.7:8080/"])
        web.allowedHosts = ["cam.example"]
        #expect(addresses(web).first == "http://cam.example:8080/")
    }

    @Test("on one address, they have that one")
    func one() {
        #expect(addresses(Config.Web(address: "192.168.1.5")) == ["http://192.168.1.5:8080/"])
        #expect(addresses(Config.Web(address: "fd00::5")) == ["http://[fd00::5]:8080/"])
    }

    @Test(
        "the name by which the client has reached them comes before all others, even on loopback, for there is a proxy")
    func proxy() {
        let web = Config.Web(address: "127.0.0.1")
        #expect(addresses(web, host: "cam.example", Client(usesTLS: true)) == ["https://cam.example/"])
        #expect(addresses(web, host: "192.168.1.9:81") == ["http://192.168.1.9:81/"])
    }

    @Test("they end with the path under which a proxy shows them")
    func mount() {
        let client = Client(prefix: "/swatch")
        #expect(addresses(Config.Web(), host: "cam.example", client) == ["http://cam.example/swatch/"])
    }

    @Test("no address of the machine is on loopback")
    func machine() {
        #expect(PageAddresses.ofMachine.allSatisfy { IPAddress($0)?.isLoopback == false })
    }
}
