package import Configuration
import Untrusted

/// What a connection to a broker depends on. Another value needs another connection.
package struct BrokerSettings: Equatable, Sendable {
    package let mqtt: Config.MQTT
    /// The name of the broker or its address.
    let host: String
    /// The name of the camera for people.
    package let name: String
    /// The id of this instance: `[a-z0-9_]`.
    package let id: String
    /// What tells the client of this connection from others of the same instance.
    var purpose = ""

    /// - Returns: Nil if no broker is configured.
    init?(_ config: Config, machine: String = InstanceID.machine, hostName: String = InstanceID.hostName) {
        guard let host = config.mqtt.host else { return nil }
        (mqtt, self.host) = (config.mqtt, host)
        name = config.web.title ?? (hostName.isEmpty ? "Swatchcam" : hostName.sanitized(limit: 60))
        id = InstanceID.make(machine: machine, port: config.web.port)
    }

    /// The name and the port, as messages name them: `broker.local:1883`.
    var place: String {
        host.contains(":") ? "[\(host)]:\(mqtt.effectivePort)" : "\(host):\(mqtt.effectivePort)"
    }

    var clientID: String { "swatchcam_\(id)\(purpose)" }
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
    /// `online`, or `offline` if there is no connection.
    package var availability: String { "\(base)/availability" }
    /// `online` while there is a colour, else `offline`.
    package var camera: String { "\(base)/camera" }
    /// The topics of all instances, from which the list of the fleet is made.
    var ofMembers: [String] { ["availability", "state"].map { "\(root)/+/\($0)" } }
    /// Returns where a command is received.
    package func command(_ name: String) -> String { "\(base)/set/\(name)" }
}
