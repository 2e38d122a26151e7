extension ConfigCodec<[String]> {
    /// As many as anyone needs; what is longer is a slip.
    private static let longest = 32

    /// Names of this machine as browsers may know it; without a port.
    static let hostNames = ConfigCodec(
        wanted: "a list of host names such as [\"raspberrypi.local\"]",
        range: "host names, without a port",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                isHost(text) ? nil : "is no host name; write it as in an address, without a port"
            }.map { $0.lowercased() }
        },
        encode: encode)

    /// Sites that may show the pages in a frame of theirs.
    static let origins = ConfigCodec(
        wanted: "a list of origins such as [\"http://homeassistant.local:8123\"]",
        range: "origins: scheme, host, and port if it is not the usual one",
        decode: { value, _ throws(ConfigRejection) in
            try elements(of: value) { text in
                let isOrigin = ["http://", "https://"].contains { scheme in
                    text.hasPrefix(scheme) && isAuthority(text.dropFirst(scheme.count))
                }
                return isOrigin ? nil : "is no origin; http:// or https://, a host and perhaps a port are wanted"
            }.map { $0.lowercased() }
        },
        encode: encode)

    @Sendable static func encode(_ texts: [String]) -> String? {
        "[\(texts.map { $0.quoted() }.joined(separator: ", "))]"
    }

    /// - Parameter problem: What is wrong with an element, in words that follow it; nil if nothing is.
    static func elements(
        of value: ConfigValue, _ problem: (String) -> String?
    ) throws(ConfigRejection) -> [String] {
        guard case .list(let elements) = value else { throw .wrongType }
        guard elements.count <= longest else {
            throw .refused("this list has \(elements.count) elements; at most \(longest) are wanted")
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element else {
                throw .element(index, "\(element.sentence); a string is wanted")
            }
            if let problem = problem(text) { throw .element(index, "\(element.text) \(problem)") }
            texts.append(text)
        }
        return texts
    }

    /// A name (RFC 952, RFC 1123) or a literal address.
    private static func isHost(_ text: some StringProtocol) -> Bool {
        let isName = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
        }
        return (1...253).contains(text.utf8.count) && isName && text.first != "." && text.first != "-"
            && !text.contains("..")
    }

    private static func isAuthority(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, isHost(host), parts.count <= 2 else { return false }
        return parts.count == 1 || isPort(parts[1])
    }

    /// Digits and nothing else (RFC 3986, 3.2.3), for it becomes a part of a header: a number's own initializer takes
    /// a sign.
    private static func isPort(_ text: some StringProtocol) -> Bool {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber && text.first != "0" && UInt16(text) != nil
    }
}

extension Array: ConfigRepresentable where Element == String {
    var configValue: ConfigValue? { .list(map(ConfigValue.string)) }
}
