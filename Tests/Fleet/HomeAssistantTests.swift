import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Fleet
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The messages for Home Assistant")
struct HomeAssistantTests {
    private let shared: SharedState
    private let homeAssistant: HomeAssistant

    init() throws {
        shared = try SharedState(log: .silent)
        shared.readings.publish(.sample)
        homeAssistant = HomeAssistant(shared, version: "1.2.3")
    }

    private func settings(_ change: (inout Config) -> Void = { _ in }) throws -> BrokerSettings {
        var config = Config()
        config.mqtt.host = "localhost"
        change(&config)
        return try #require(BrokerSettings(config, id: "0123456789ab", hostName: "bench"))
    }

    private func components(_ messages: [RetainedMessage]) throws -> [String: [String: Any]] {
        let message = try #require(messages.first)
        let json = try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
        return try #require(json?["cmps"] as? [String: [String: Any]])
    }

    @Test("the device has the name and the id of the connection, and the camera in use is an option; again, the same")
    func description() throws {
        let settings = try settings { $0.mqtt.control = true }
        let messages = homeAssistant.messages(settings)
        #expect(homeAssistant.messages(settings) == messages)
        #expect(messages.map(\.topic) == ["homeassistant/device/swatchcam_\(settings.id)/config"])
        let components = try components(messages)
        #expect(components["camera"]?["ops"] as? [String] == ["HD Pro Webcam C920"])
        #expect((components["effect"]?["ops"] as? [String])?.contains("off") == true)
        #expect(components["color"]?["def_ent_id"] as? String == "sensor.bench_color")
    }

    @Test("a device that was described is removed when discovery is turned off, and one that was not is not mentioned")
    func removal() throws {
        let off = try settings { $0.mqtt.discovery = false }
        #expect(homeAssistant.messages(off) == [])
        let topic = try #require(homeAssistant.messages(try settings()).first).topic
        #expect(homeAssistant.messages(off) == [RetainedMessage(topic: topic, payload: [])])
    }

    @Test("an entity that is gone since the last message is named")
    func change() throws {
        _ = homeAssistant.messages(try settings { $0.mqtt.control = true })
        #expect(
            try components(homeAssistant.messages(try settings()))["effect"] as? [String: String] == ["p": "select"])
    }

    @Test(
        "the link to the dashboard is an address at which other machines reach it, or there is none",
        arguments: [
            ("127.0.0.1", [], [], nil), ("0.0.0.0", [], [], nil), ("192.0.2.1", [], [], "http://192.0.2.1:8080/"),
            ("0.0.0.0", ["bench.local"], [], "http://bench.local:8080/"),
            ("::", ["bench.local"], [], "http://bench.local:8080/"),
            ("2001:db8::1", [], [], "http://[2001:db8::1]:8080/"), ("127.0.0.1", ["cam.example"], [], nil),
            ("0.0.0.0", ["cam.example"], ["192.0.2.7"], nil),
        ] as [(String, [String], [String], String?)])
    func page(address: String, hosts: [String], proxies: [String], expected: String?) {
        #expect(Config.Web(address: address, allowedHosts: hosts, trustedProxies: proxies).page == expected)
    }
}
