import Documents
package import FoundationEssentials
package import Metrology
package import Pixels
import Readings
import Untrusted

/// What Home Assistant has to know to show a Swatchcam as a device, by its MQTT discovery.
///
/// One message that the broker keeps describes the device with all its entities. Their values come from the topics
/// `TOPIC/ID/state`, `…/availability` and `…/camera`, and commands go to `…/set/…`. The shape is held against Home
/// Assistant itself by `Tests/HomeAssistant`.
package struct Discovery: Equatable, Sendable {
    /// The maximum number of cameras, and the maximum length of names in scalars. They come from outside.
    static let (maxCount, maxName) = (32, 100)
    /// The maximum length of a message in bytes.
    private static let maxLength = 262_144

    /// The id of the Swatchcam, of `[a-z0-9_]`.
    package var id: String
    /// The name for people.
    package var name: String
    package var version: String
    /// The first levels of all topics.
    package var topic = "swatchcam"
    /// The address of the dashboard; nil if it is not known.
    package var page: String?
    package var cameras: [String] = []
    package var effects: [String] = []
    /// The names of the targets with which the colour is compared.
    package var targets: [String] = []
    /// The unit of concentrations, which may be empty; nil if there is no standard curve.
    package var unit: String?
    /// The probes, in their order.
    package var probes: [Probe] = []
    /// The scales, in their order.
    package var scales: [NamedScale] = []
    /// Whether commands are accepted.
    package var isControllable = false

    /// The topic of the message about a Swatchcam. An empty message removes the device.
    package static func topic(of id: String) -> String { "homeassistant/device/swatchcam_\(id)/config" }

    /// Returns the message that describes the device.
    /// - Parameter previous: The message that the broker has kept so far, if it is known. Home Assistant keeps an entity
    ///   that is only left out, and with it the device, so those that are gone have to be named.
    package func message(replacing previous: Data? = nil) -> Data {
        var components = components
        // Before the last start, commands may have been accepted.
        for (key, platform) in Self.optional + Self.entities(in: previous ?? Data()) where components[key] == nil {
            components[key] = Component(platform)
        }
        return JSONText.data(
            of: Document(
                device: .init(
                    identifiers: ["swatchcam_\(id)"], name: deviceName, version: version.sanitized(limit: 40),
                    page: page),
                origin: .init(version: version.sanitized(limit: 40)), state: "\(root)/state",
                availability: [.init(topic: "\(root)/availability"), .init(topic: "\(root)/camera")],
                components: components))
    }

    /// Returns the keys and the platforms of the entities in a message, as far as they can be Swatchcam's own.
    private static func entities(in message: Data) -> [(String, String)] {
        struct Message: Decodable {
            struct Entity: Decodable { var p: String }
            var cmps: [String: Entity]
        }
        guard message.count <= maxLength, JSONLimits.allows(message, maxValues: maxLength),
            let message = try? JSONDecoder().decode(Message.self, from: message)
        else { return [] }
        let platforms = ["sensor", "binary_sensor"] + optional.map(\.1)
        return message.cmps.sorted { $0.key < $1.key }.map { ($0, $1.p) }
            .filter { key, platform in !key.isEmpty && key.slug(or: "") == key && platforms.contains(platform) }
    }

    private var root: String { "\(topic)/\(id)" }

    private var deviceName: String {
        let name = name.trimmed.sanitized(limit: Self.maxName)
        return name.isEmpty ? "Swatchcam" : name
    }

    /// The entities that there are only with certain settings.
    private static let optional = [
        ("camera", "select"), ("concentration", "sensor"), ("effect", "select"), ("locked", "switch"),
        ("rate", "number"), ("sample", "button"),
    ]

    private var components: [String: Component] {
        var components = ["color": color, "problem": problem]
        for figure in StateFigure.all {
            if let entity = figure.entity {
                components[figure.id] = sensor(entity, "{{ value_json.\(figure.key) }}")
            }
        }
        for (index, channel) in ["red", "green", "blue"].enumerated() {
            components[channel] = sensor(channel.capitalizingFirst) {
                $0.stateClass = "measurement"
                $0.isEnabled = false
                $0.template = "{{ value_json.rgb[\(index)] if value_json.rgb else none }}"
            }
        }
        if let unit {
            components["concentration"] = concentration("Concentration", in: "value_json.concentration", unit)
            for probe in Self.distinct(probes.map(\.name.text), noun: "Probe") {
                components["concentration_\(probe.slug)"] = concentration(
                    "\(probe.name) concentration", in: "(value_json[\(probe.index)] or {}).concentration", unit,
                    topic: "\(root)/probes")
            }
        }
        for probe in Self.distinct(probes.map(\.name.text), noun: "Probe") {
            components.merge(entities(of: probes[probe.index], probe.name, probe.slug)) { first, _ in first }
        }
        for target in Self.distinct(targets, noun: "Target") {
            let value = "value_json.targets[\(target.index)]"
            components["verdict_\(target.slug)"] = sensor(
                .init(label: target.name, stateClass: nil, options: ["pass", "fail", "close"]),
                "{{ \(value).verdict }}")
            components["difference_\(target.slug)"] = sensor(
                .init(label: "\(target.name) ΔE"), "{{ \(value).deltaE }}")
        }
        for scale in Self.distinct(scales.map(\.name.text), noun: "Scale") {
            let (value, unit) = ("(value_json.scales[\(scale.index)] or {})", scales[scale.index].unit)
            components["scale_\(scale.slug)"] = sensor(scale.name) {
                $0.icon = "mdi:ruler"
                ($0.stateClass, $0.unit) = ("measurement", unit.isEmpty ? nil : unit)
                $0.template = "{{ \(value).value }}"
                ($0.attributesTopic, $0.attributesTemplate) = ("\(root)/state", "{{ \(value) | tojson }}")
            }
        }
        if isControllable { components.merge(commands) { first, _ in first } }
        for (key, component) in components { components[key] = identified(component, as: key) }
        return components
    }

    private var commands: [String: Component] {
        var commands = [
            "effect": command("select", "Effect", .effect) {
                $0.options = Self.options(effects.map { $0 == "none" ? StateMessage.noEffect : $0 })
            },
            // A button and a switch of the camera's controls do nothing while there is no camera.
            "locked": command("switch", "Locked for measuring", .locked) {
                $0.template = "{{ 'ON' if value_json.locked else 'OFF' }}"
                $0.availability = nil
            },
            "rate": command("number", "Readings per second", .rate) {
                ($0.minimum, $0.maximum, $0.step, $0.mode) = (0.1, 60, 0.1, "box")
                ($0.unit, $0.category) = ("Hz", "config")
            },
            "sample": command("button", "Take a sample", .sample) {
                ($0.template, $0.press, $0.availability) = (nil, "PRESS", nil)
            },
        ]
        let names = Self.options(cameras)
        if !names.isEmpty { commands["camera"] = command("select", "Camera", .camera) { $0.options = names } }
        return commands
    }

    /// The colour for people, and as the attribute `rgb_color`, as lamps understand it.
    private var color: Component {
        sensor("Color") {
            $0.icon = "mdi:palette"
            $0.template = "{{ value_json.hex }}"
            $0.attributesTopic = "\(root)/state"
            $0.attributesTemplate = "{{ {'rgb_color': value_json.rgb} | tojson }}"
        }
    }

    /// The entities of a probe: its colour, its state if it has targets, and its light if it is on one.
    private func entities(of probe: Probe, _ name: String, _ slug: String) -> [String: Component] {
        let topic = "\(root)/probe/\(slug)"
        // An empty message removes the one that the broker has kept.
        let value = "(value_json | default({}))"
        // The broker keeps these messages, and sends none while nothing changes.
        func component(_ platform: String, _ name: String, _ change: (inout Component) -> Void) -> Component {
            Component(platform, name, quality: 1) {
                $0.stateTopic = topic
                change(&$0)
            }
        }
        var entities = [
            "probe_\(slug)": component("sensor", "\(name) color") {
                ($0.icon, $0.template) = ("mdi:palette", "{{ \(value).get('hex') }}")
                ($0.attributesTopic, $0.attributesTemplate) = (
                    topic, "{{ {'rgb_color': \(value).get('rgb')} | tojson }}"
                )
            }
        ]
        let own = targets.filter { target in probe.targets?.contains(Name(target)) ?? true }
        if !own.isEmpty {
            entities["state_\(slug)"] = component("sensor", "\(name) state") {
                $0.template = "{{ \(value).get('state') }}"
            }
        }
        if probe.isLight {
            entities["light_\(slug)"] = component("binary_sensor", name) {
                $0.deviceClass = "light"
                $0.template = "{{ {true: 'ON', false: 'OFF'}.get((\(value).get('light') or {}).get('on'), none) }}"
                ($0.attributesTopic, $0.attributesTemplate) = (topic, "{{ (\(value).get('light') or {}) | tojson }}")
            }
        }
        return entities
    }

    /// A concentration, whose interval and flags are attributes.
    private func concentration(
        _ name: String, in concentration: String, _ unit: String, topic: String? = nil
    ) -> Component {
        sensor(name) {
            $0.icon = "mdi:test-tube"
            ($0.stateClass, $0.unit, $0.stateTopic) = ("measurement", unit.isEmpty ? nil : unit, topic)
            $0.template = "{{ (\(concentration) or {}).value | default(none) }}"
            $0.attributesTopic = topic ?? "\(root)/state"
            $0.attributesTemplate = "{{ (\(concentration) or {}) | tojson }}"
        }
    }

    private var problem: Component {
        var problem = Component("binary_sensor", "Problem", quality: 0)
        (problem.deviceClass, problem.category, problem.expiry) = ("problem", "diagnostic", Self.expiry)
        problem.template = "{{ 'ON' if value_json.problem else 'OFF' }}"
        problem.availability = withoutCamera
        return problem
    }

    /// The time in seconds after which a value without a new message is no longer shown. A message comes every 30 s.
    private static let expiry = 60

    /// Where an entity is available even while there is no colour.
    private var withoutCamera: [Availability] { [.init(topic: "\(root)/availability")] }

    private func sensor(_ name: String, _ change: (inout Component) -> Void) -> Component {
        Component("sensor", name, quality: 0) {
            $0.expiry = Self.expiry
            change(&$0)
        }
    }

    private func sensor(_ entity: StateFigure.Entity, _ template: String) -> Component {
        sensor(entity.label) {
            ($0.unit, $0.stateClass, $0.template) = (entity.unit, entity.stateClass, template)
            ($0.deviceClass, $0.options) = (entity.options == nil ? nil : "enum", entity.options)
            $0.category = entity.isDiagnostic ? "diagnostic" : nil
            $0.availability = entity.isAlwaysAvailable ? withoutCamera : nil
        }
    }

    private func command(
        _ platform: String, _ name: String, _ command: BrokerCommand.Name, _ change: (inout Component) -> Void
    ) -> Component {
        // A command must arrive, and exactly once is not needed: each sets a value.
        Component(platform, name, quality: 1) {
            $0.template = "{{ value_json.\(command.rawValue) }}"
            $0.commandTopic = "\(root)/set/\(command.rawValue)"
            $0.availability = withoutCamera
            change(&$0)
        }
    }

    private func identified(_ component: Component, as key: String) -> Component {
        var component = component
        component.uniqueID = "swatchcam_\(id)_\(key)"
        // With its domain: without, Home Assistant 2026.11 ignores it.
        component.entityID = "\(component.platform).\(deviceName.slug(or: "swatchcam"))_\(key)"
        return component
    }

    /// Returns the targets or probes whose names have a slug of their own. Others could not be told apart.
    static func distinct(
        _ names: some Sequence<String>, noun: String
    ) -> [(name: String, slug: String, index: Int)] {
        var slugs: Set<String> = []
        return names.enumerated().compactMap { index, name in
            let name = name.trimmed.sanitized(limit: maxName)
            let slug = name.slug(or: "\(index + 1)")
            return slugs.insert(slug).inserted ? (name.isEmpty ? "\(noun) \(index + 1)" : name, slug, index) : nil
        }
    }

    /// Returns the names that Home Assistant can offer, each once.
    private static func options(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(
            names.map { $0.sanitized(limit: maxName) }
                .filter { !$0.isEmpty && $0.lowercased() != "none" && seen.insert($0).inserted }.prefix(maxCount))
    }
}

extension String {
    fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }

    /// Returns the text in the characters of an entity's id: `[a-z0-9_]`.
    func slug(or alternative: String) -> String {
        let characters = lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
        }
        let slug = String(characters).split(separator: "_").joined(separator: "_")
        return slug.isEmpty ? alternative : slug
    }
}
