/// Host and port of a `Host` header or of an origin (RFC 3986, 3.2).
struct Authority: Equatable, Sendable {
    /// In lower case, without the brackets of an IPv6 address.
    var host: String
    /// nil when none is written.
    var port: UInt16?

    init(host: String, port: UInt16?) {
        self.host = host.lowercased()
        self.port = port
    }

    /// - Parameter text: `name`, `name:port`, `1.2.3.4:port`, `[::1]:port`.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
        }
        guard !host.isEmpty else { return nil }
        if rest.isEmpty {
            self.init(host: String(host), port: nil)
        } else {
            guard rest.first == ":", rest.dropFirst().allSatisfy(\.isNumber), let port = UInt16(rest.dropFirst()) else {
                return nil
            }
            self.init(host: String(host), port: port)
        }
    }

    /// The authority of an `Origin` header such as `http://localhost:8080`; nil for `null` and other schemes.
    init?(origin: String) {
        for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
            self.init(origin.dropFirst(scheme.count))
            return
        }
        return nil
    }
}
