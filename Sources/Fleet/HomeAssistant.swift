import Configuration
import FoundationEssentials
import Handoff
import Metrology
import Pixels
import Readings
package import State
import Storage
import Synchronization
import Untrusted
import V4L2

/// The messages by which Home Assistant discovers this Swatchcam, as long as `mqtt.discovery` is set.
package final class HomeAssistant: Sendable {
    private let shared: SharedState
    private let version: String
    /// The device as it was described last, and the message; nil if there was none since the start.
    private let sent = Mutex((device: Discovery, message: RetainedMessage)?.none)

    /// - Parameter version: The version of the program.
    package init(_ shared: SharedState, version: String) {
        (self.shared, self.version) = (shared, version)
    }

    /// Returns what the broker is to keep for Home Assistant now.
    package func messages(_ settings: BrokerSettings) -> [RetainedMessage] {
        let topic = Discovery.topic(of: settings.id)
        return sent.withLock { sent in
            guard settings.mqtt.discovery else {
                // Home Assistant complains about the removal of a device that it has never known.
                return sent == nil ? [] : [RetainedMessage(topic: topic, payload: [])]
            }
            // This is called with every state.
            let device = description(settings)
            if let sent, sent.device == device { return [sent.message] }
            let message = device.message(replacing: sent.map { Data($0.message.payload) })
            let retained = RetainedMessage(topic: topic, payload: Array(message))
            sent = (device, retained)
            return [retained]
        }
    }

    private func description(_ settings: BrokerSettings) -> Discovery {
        // The camera in use must be among the options, or Home Assistant refuses to show it.
        let current = shared.readings.value.camera.map { [$0.name] } ?? []
        return Discovery(
            id: settings.id, name: settings.name, version: version, topic: settings.mqtt.topic,
            page: shared.config.value.effective.web.page,
            cameras: current + shared.directory.nodes.value.filter { $0.role == .camera }.map(\.name),
            effects: Effects.all.map(\.name),
            targets: shared.config.value.effective.targets.map(\.name.text),
            unit: shared.absorbance.latest.value?.unitOfCurve,
            probes: shared.config.value.effective.probes,
            scales: shared.config.value.effective.scales.map(\.scale), isControllable: settings.mqtt.control)
    }
}

extension Config.Web {
    /// The address of the dashboard for other machines; nil if it is not known.
    var page: String? {
        let host = allowedHosts.first ?? address
        // A proxy's own address is not known.
        guard trustedProxies.isEmpty, let address = IPAddress(address), !address.isLoopback,
            IPAddress(host)?.isWildcard != true
        else { return nil }
        return "http://\(Authority(host: host, port: port))/"
    }
}
