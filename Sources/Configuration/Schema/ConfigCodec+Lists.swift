import Documents

extension ConfigCodec<[String]> {
    /// The maximum number of elements in a list. Nobody needs more.
    private static let maxCount = 32

    /// Host names of this machine, without a port.
    static let hostNames = ConfigCodec(
        expected: "a list of host names such as [\"raspberrypi.local\"]",
        allowedValues: "host names, without a port",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                isHost(text) ? nil : "is not a host name; expected one such as raspberrypi.local, without a port"
            }.map { $0.lowercased() }
        },
        schema: .array(of: .string, 0...maxCount))

    /// Origins of sites that may embed the pages in a frame.
    static let origins = ConfigCodec(
        expected: "a list of origins such as [\"http://homeassistant.local:8123\"]",
        allowedValues: "origins: scheme, host, and the port if it is not the default one",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value, originProblem).map { $0.lowercased() }
        },
        schema: .array(of: .string, 0...maxCount))

    /// Returns the elements of a list of strings.
    /// - Parameter problem: Says why an element is not valid, as the end of a sentence; nil if it is valid.
    static func elements(
        of value: ConfigValue, _ problem: (String) -> String?
    ) throws(ConfigRejection) -> [String] {
        guard case .list(let elements) = value else { throw .wrongType }
        guard elements.count <= maxCount else {
            throw .refused("this list has \(elements.count) elements; expected at most \(maxCount)")
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element else {
                throw .element(index, "\(element.sentence); expected a string")
            }
            if let problem = problem(text) { throw .element(index, "\(element.text) \(problem)") }
            texts.append(text)
        }
        return texts
    }

    /// Returns whether a text is a host name (RFC 952, RFC 1123, and underscores) or a literal IPv4 address.
    private static func isHost(_ text: some StringProtocol) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: ".") }
            && text.first != "." && text.first != "-" && !text.contains("..")
    }

    /// Returns why a text is not an origin that a browser would recognise, as the end of a sentence; nil if it is one.
    private static func originProblem(_ text: String) -> String? {
        let problem = "is not an origin; expected http:// or https://, a host and optionally a port"
        guard let (_, written) = WebOrigin.parts(of: text), let authority = Authority(written) else { return problem }
        // Browsers ignore such a source: a host-part has no brackets or colons (CSP Level 3, 2.3.1).
        if IPAddress(authority.host) != nil, authority.host.contains(":") {
            return "has an IPv6 address, which a Content Security Policy cannot express; use a host name"
        }
        // Browsers write an origin's port without leading zeros.
        return isHost(authority.host) && authority.port != 0 && authority.description == written.lowercased()
            ? nil : problem
    }
}

extension Array: ConfigRepresentable where Element: ConfigRepresentable {
    static var schema: JSONSchema { .array(of: Element.schema) }
    var configValue: ConfigValue? { .list(compactMap(\.configValue)) }
}

extension ConfigCodec<[String]> {
    /// IP addresses and networks.
    static let networks = ConfigCodec(
        expected: "a list of addresses or networks such as [\"127.0.0.1\", \"fd00::/8\"]",
        allowedValues: "IPv4 or IPv6 addresses, or networks in CIDR notation",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                IPNetwork(text) == nil
                    ? "is not an address or a network; expected one such as 127.0.0.1 or 192.168.0.0/16" : nil
            }
        },
        schema: .array(of: .string, 0...maxCount))
}

extension ConfigCodec<[String: ConfigValue]> {
    /// Values for a camera's controls, by name. Whether the camera has these controls and accepts the values is checked
    /// when the camera is opened.
    static let controls = ConfigCodec(
        expected: "a table of the camera's controls",
        allowedValues: "names that `swatchcam cameras` prints, with whole numbers, true, false or strings",
        decode: { value, _ throws(ConfigRejection) in
            guard case .table(let values) = value else { throw .wrongType }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .integer, .boolean, .string: continue
                default:
                    throw .entry(name, "\(value.sentence); expected a whole number, true, false or a string")
                }
            }
            return values
        })
}

extension Dictionary: ConfigRepresentable where Key == String, Value == ConfigValue {
    static var schema: JSONSchema {
        ["type": "object", "additionalProperties": ["type": ["integer", "boolean", "string"]]]
    }
    var configValue: ConfigValue? { .table(self) }
}
