import Configuration
import Testing

@testable import Fleet

@Suite("The id of an instance")
struct InstanceIDTests {
    @Test(
        "the hash is SHA-256",
        arguments: [
            // FIPS 180-4's examples, and texts around the length of a block.
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
            ),
            (
                String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
            ),
        ])
    func hash(_ text: String, _ digest: String) {
        let digits = SHA256.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(digits.joined() == digest)
    }

    @Test("the id is the same at each start, and another one on another machine and for another port")
    func stable() {
        let id = InstanceID.make(machine: "0123456789abcdef0123456789abcdef", port: 8080)
        #expect(id == InstanceID.make(machine: "0123456789abcdef0123456789abcdef", port: 8080))
        #expect(id != InstanceID.make(machine: "0123456789abcdef0123456789abcdee", port: 8080))
        #expect(id != InstanceID.make(machine: "0123456789abcdef0123456789abcdef", port: 8081))
        #expect(id.utf8.count == 12)
        #expect(
            id.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
    }

    @Test("the topics begin with the configured level and the id, and the name is that of the pages")
    func topics() throws {
        var config = Config()
        #expect(BrokerSettings(config) == nil)
        config.mqtt.host = "::1"
        config.web.title = "Hall"
        let settings = try #require(BrokerSettings(config, machine: "m", hostName: "kiosk"))
        #expect(settings.place == "[::1]:1883")
        #expect(settings.name == "Hall")
        #expect(settings.topics.state == "swatchcam/\(settings.id)/state")
        #expect(settings.topics.command("rate") == "swatchcam/\(settings.id)/set/rate")
        #expect(settings.clientID == "swatchcam_\(settings.id)")
        config.web.title = nil
        config.mqtt.tls = true
        let encrypted = try #require(BrokerSettings(config, machine: "m", hostName: "kiosk"))
        #expect(encrypted.place == "[::1]:8883")
        #expect(encrypted.name == "kiosk")
    }
}
