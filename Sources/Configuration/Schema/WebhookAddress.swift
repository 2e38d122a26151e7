import Documents

/// The address to which events are sent. Its path is often all that keeps others from sending to it, so it is not shown.
package struct WebhookAddress: Equatable, Sendable, CustomStringConvertible {
    /// The maximum length, in bytes.
    static let maxLength = 2000

    /// The whole address.
    package let url: String
    private let origin: WebOrigin

    package var isEncrypted: Bool { origin.scheme == "https" }

    /// The scheme, the host and the port: `https://ntfy.example:443`.
    package var description: String { "\(origin.scheme)://\(place)" }

    /// The host and the port, as messages name them.
    package var place: String {
        origin.host.contains(":") ? "[\(origin.host)]:\(origin.port)" : "\(origin.host):\(origin.port)"
    }

    /// - Throws: A sentence that says why the text is not such an address.
    init(_ text: String) throws(ConfigRejection) {
        let example = "write one such as \"https://ntfy.example/boiler\""
        guard text.utf8.count <= Self.maxLength else {
            throw .refused("the address is \(text.utf8.count) bytes long; expected at most \(Self.maxLength)")
        }
        guard let (scheme, rest) = WebOrigin.parts(of: text) else {
            throw .refused("the address begins with neither http:// nor https://; \(example)")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }) else {
            throw .refused("the address contains a character that must be percent-encoded in a URL; \(example)")
        }
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw .refused("the address has a fragment, which is never sent; remove # and what follows")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw .refused(
                "the address contains a user or a password; write a token into a file, and name it in "
                    + "events.webhook_token_file")
        }
        guard let authority = Authority(authority), authority.port != 0 else {
            throw .refused("the address has no valid host and port; \(example)")
        }
        (url, origin) = (text, WebOrigin(scheme: scheme, authority))
    }
}

extension WebhookAddress: ConfigRepresentable {
    static var schema: JSONSchema {
        .string.described("The scheme, the host and the port. The rest of the address is never shown.")
    }
    var configValue: ConfigValue? { .string(description) }
}

extension ConfigCodec<WebhookAddress?> {
    /// The address to which events are sent.
    static let webhook = text(
        expected: "a URL such as \"https://ntfy.example/boiler\"",
        allowedValues: "a URL of http or https, without a user and a password",
        read: { text, _ throws(ConfigRejection) in try WebhookAddress(text) })
}
