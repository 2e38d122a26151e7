package import Configuration
import Glibc
import Untrusted

/// What a connection to a broker depends on. Another value needs another connection.
package struct BrokerSettings: Equatable, Sendable {
    package let mqtt: Config.MQTT
    /// The name of the broker or its address.
    let host: String
    /// The name of this instance for people: `web.title`, or else the name of the machine.
    package let name: String
    /// The id of this instance: `[a-z0-9_]`.
    package let id: String

    /// - Parameter id: The id of this instance, of `[a-z0-9_]`.
    /// - Returns: Nil if no broker is configured.
    init?(_ config: Config, id: String, hostName: String = BrokerSettings.hostName) {
        guard let host = config.mqtt.host else { return nil }
        (mqtt, self.host) = (config.mqtt, host)
        name = config.web.title ?? (hostName.isEmpty ? "Swatchcam" : hostName.sanitized(limit: 60))
        self.id = id
    }

    /// The name of this machine without its domain.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text.prefix { $0 != "." })
    }

    /// The name and the port, as messages name them: `broker.local:1883`.
    var place: String {
        host.contains(":") ? "[\(host)]:\(mqtt.effectivePort)" : "\(host):\(mqtt.effectivePort)"
    }

    var clientID: String { "swatchcam_\(id)" }
    package var topics: FleetTopics { FleetTopics(root: mqtt.topic, id: id) }
}

/// The topics of an instance.
package struct FleetTopics: Equatable, Sendable {
    /// Home Assistant announces here that it has started.
    package static let birth = "homeassistant/status"

    /// The levels that all instances share.
    let root: String
    let id: String

    /// `swatchcam/ab12cd`
    package var base: String { "\(root)/\(id)" }
    /// The newest colour, which is not retained.
    package var state: String { "\(base)/state" }
    /// Returns where the newest state of a probe is kept.
    /// - Parameter slug: The name of the probe in the characters of a topic.
    package func probe(_ slug: String) -> String { "\(base)/probe/\(slug)" }
    /// Each event, once it has happened.
    package var event: String { "\(base)/event" }
    /// The concentrations of the probes, which are not retained.
    package var probes: String { "\(base)/probes" }
    /// `online`, or `offline` if there is no connection.
    package var availability: String { "\(base)/availability" }
    /// `online` while there is a colour, else `offline`.
    package var camera: String { "\(base)/camera" }
    /// The topics of all instances, from which the list of the fleet is made.
    var ofMembers: [String] { ["availability", "state"].map { "\(root)/+/\($0)" } }
    /// Returns where a command is received.
    package func command(_ name: String) -> String { "\(base)/set/\(name)" }
}
