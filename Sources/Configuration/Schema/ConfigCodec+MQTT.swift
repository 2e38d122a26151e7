import Untrusted

extension ConfigCodec<String?> {
    /// The name or address of a broker, without a scheme or a port.
    static let brokerHost = ConfigCodec(
        expected: "the name or address of a broker, as a string",
        allowedValues: "a name or an IPv4 or IPv6 address",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            if IPAddress(text) != nil { return text }
            if text.contains("://") {
                throw .refused(
                    "\(value.text) is a URL; write only the name, and set mqtt.tls for an encrypted connection")
            }
            if text.hasPrefix("["), text.hasSuffix("]"), IPAddress(text.dropFirst().dropLast()) != nil {
                throw .refused("\(value.text) is not a name; write the address without the brackets")
            }
            if text.contains(":") {
                throw .refused("\(value.text) is not a name; the port belongs in mqtt.port")
            }
            // RFC 1035, 2.3.4; resolvers accept underscores.
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (1...253).contains(text.utf8.count), labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
                text.first != "-", text.utf8.allSatisfy({ $0.isWordCharacter || $0 == UInt8(ascii: ".") })
            else {
                throw .refused("\(value.text) is not the name or address of a machine")
            }
            return text
        },
        encode: { $0?.toml })

    /// The name of a user: one printable line.
    static let user = ConfigCodec(
        expected: "the name of a user, as a string",
        allowedValues: "1 to 255 characters on one line",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            guard !text.isEmpty else { throw .refused("the name is empty; write one, or omit the key") }
            let count = text.unicodeScalars.count
            guard count <= 255 else {
                throw .refused("\(value.text) is \(count) characters long; expected at most 255")
            }
            guard text.sanitized() == text else {
                throw .refused("\(value.text) contains a character that cannot be shown on one line")
            }
            return text
        },
        encode: { $0?.toml })
}

extension ConfigCodec<String> {
    /// The maximum length of the first levels of all topics.
    private static let maxTopicLength = 100

    /// The first levels of all topics, without wildcards and empty levels.
    static let topic = ConfigCodec(
        expected: "a topic such as \"swatchcam\"",
        allowedValues: "levels of letters, digits, - and _, separated by /; at most \(maxTopicLength) characters",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            let count = text.utf8.count
            guard count <= maxTopicLength else {
                throw .refused("\(value.text) is \(count) characters long; expected at most \(maxTopicLength)")
            }
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            guard levels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isWordCharacter) }) else {
                throw .refused(
                    "\(value.text) is not such a topic; expected letters, digits, - and _, with / between levels")
            }
            return text
        },
        encode: { $0.toml })
}

extension UInt8 {
    /// Whether this is an ASCII letter, a digit, `-` or `_`.
    fileprivate var isWordCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
