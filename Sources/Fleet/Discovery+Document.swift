/// The message as Home Assistant reads it, with its abbreviations.
extension Discovery {
    struct Document: Encodable {
        var device: Device
        var origin: Origin
        var state: String
        var availability: [Availability]
        var availabilityMode = "all"
        var components: [String: Component]

        enum CodingKeys: String, CodingKey {
            case device = "dev"
            case origin = "o"
            case state = "stat_t"
            case availability = "avty"
            case availabilityMode = "avty_mode"
            case components = "cmps"
        }
    }

    struct Device: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer = "Swatchcam"
        var model = "Camera color meter"
        var version: String
        var page: String?

        enum CodingKeys: String, CodingKey {
            case identifiers = "ids"
            case name
            case manufacturer = "mf"
            case model = "mdl"
            case version = "sw"
            case page = "cu"
        }
    }

    struct Origin: Encodable {
        var name = "Swatchcam"
        var version: String

        enum CodingKeys: String, CodingKey {
            case name
            case version = "sw"
        }
    }

    struct Availability: Encodable {
        var topic: String

        enum CodingKeys: String, CodingKey { case topic = "t" }
    }

    /// An entity, or only its platform, which removes it.
    struct Component: Encodable {
        var platform: String
        var name: String?
        /// The quality of service of its subscriptions, which it does not inherit from the device.
        var quality: Int?
        var attributesTemplate: String?
        var attributesTopic: String?
        var availability: [Availability]?
        var category: String?
        var commandTopic: String?
        var deviceClass: String?
        var entityID: String?
        var expiry: Int?
        var icon: String?
        var isEnabled: Bool?
        var maximum: Double?
        var minimum: Double?
        var mode: String?
        var options: [String]?
        var press: String?
        var stateClass: String?
        /// Where its value comes from, if not from the topic of the device.
        var stateTopic: String?
        var step: Double?
        var template: String?
        var uniqueID: String?
        var unit: String?

        init(_ platform: String) {
            self.platform = platform
        }

        init(_ platform: String, _ name: String, quality: Int, _ change: (inout Component) -> Void = { _ in }) {
            (self.platform, self.name, self.quality) = (platform, name, quality)
            change(&self)
        }

        /// Home Assistant's abbreviations.
        enum CodingKeys: String, CodingKey {
            case platform = "p"
            case name
            case quality = "qos"
            case attributesTemplate = "json_attr_tpl"
            case attributesTopic = "json_attr_t"
            case availability = "avty"
            case category = "ent_cat"
            case commandTopic = "cmd_t"
            case deviceClass = "dev_cla"
            case entityID = "def_ent_id"
            case expiry = "exp_aft"
            case icon = "ic"
            case isEnabled = "en"
            case maximum = "max"
            case minimum = "min"
            case mode
            case options = "ops"
            case press = "pl_prs"
            case stateClass = "stat_cla"
            case stateTopic = "stat_t"
            case step
            case template = "val_tpl"
            case uniqueID = "uniq_id"
            case unit = "unit_of_meas"
        }
    }
}
