import Configuration
import Testing

@testable import Fleet

@Suite("The settings of a connection to a broker")
struct BrokerSettingsTests {
    @Test("the topics begin with the configured level and the id, and the name is that of the pages")
    func topics() throws {
        var config = Config()
        #expect(BrokerSettings(config, id: "0123456789ab") == nil)
        config.mqtt.host = "::1"
        config.web.title = "Hall"
        let settings = try #require(BrokerSettings(config, id: "0123456789ab", hostName: "kiosk"))
        #expect(settings.place == "[::1]:1883")
        #expect(settings.name == "Hall")
        #expect(settings.topics.state == "swatchcam/0123456789ab/state")
        #expect(settings.topics.command("rate") == "swatchcam/0123456789ab/set/rate")
        #expect(settings.clientID == "swatchcam_0123456789ab")
        config.web.title = nil
        config.mqtt.tls = true
        let encrypted = try #require(BrokerSettings(config, id: "0123456789ab", hostName: "kiosk"))
        #expect(encrypted.place == "[::1]:8883")
        #expect(encrypted.name == "kiosk")
    }
}
