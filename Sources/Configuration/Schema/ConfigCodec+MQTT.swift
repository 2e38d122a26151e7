import Documents
import Untrusted

extension ConfigCodec<String?> {
    /// The name or address of a broker, without a scheme or a port.
    static let brokerHost = text(
        expected: "the name or address of a broker, as a string",
        allowedValues: "a name or an IPv4 or IPv6 address",
        read: { text, _ throws(ConfigRejection) in
            if IPAddress(text) != nil { return text }
            if text.contains("://") {
                throw .refused(
                    "\(text.quoted()) is a URL; write only the name, and set mqtt.tls for an encrypted connection")
            }
            if text.hasPrefix("["), text.hasSuffix("]"), IPAddress(text.dropFirst().dropLast()) != nil {
                throw .refused("\(text.quoted()) is not a name; write the address without the brackets")
            }
            if text.contains(":") {
                throw .refused("\(text.quoted()) is not a name; the port belongs in mqtt.port")
            }
            // RFC 1035, 2.3.4; resolvers accept underscores.
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (1...253).contains(text.utf8.count), labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
                text.first != "-", text.utf8.allSatisfy({ $0.isWordCharacter || $0 == UInt8(ascii: ".") })
            else {
                throw .refused("\(text.quoted()) is not the name or address of a machine")
            }
            return text
        }
    )
    .with(schema: JSONSchema.string(1...253).orNull)

    /// The name of a user: one printable line.
    static let user = line("name", expected: "the name of a user, as a string", maxLength: 255) { $0 }
}

extension ConfigCodec<String> {
    /// The maximum length of the first levels of all topics.
    private static let maxTopicLength = 100

    /// The first levels of all topics, without wildcards and empty levels.
    static let topic = text(
        expected: "a topic such as \"swatchcam\"",
        allowedValues: "levels of letters, digits, - and _, separated by /; at most \(maxTopicLength) characters",
        read: { text, _ throws(ConfigRejection) in
            let count = text.utf8.count
            guard count <= maxTopicLength else {
                throw .refused("\(text.quoted()) is \(count) characters long; expected at most \(maxTopicLength)")
            }
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            guard levels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isWordCharacter) }) else {
                throw .refused(
                    "\(text.quoted()) is not such a topic; expected letters, digits, - and _, with / between levels")
            }
            return text
        }
    )
    .with(schema: .string(1...maxTopicLength))
}
