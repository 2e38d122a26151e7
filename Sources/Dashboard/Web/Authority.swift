/// Host and port of a `Host` header or of an origin (RFC 3986, 3.2).
struct Authority: Equatable, Sendable {
    /// In lower case, ASCII, without the brackets of an IPv6 address.
    var host: String
    /// nil when none is written.
    var port: UInt16?

    init(host: String, port: UInt16?) {
        self.host = host.lowercased()
        self.port = port
    }

    /// - Parameter text: `name`, `name:port`, `1.2.3.4:port`, `[::1]:port`; nil: it is something else.
    init?(_ text: some StringProtocol) {
        let text = text.utf8
        guard text.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
        var host = text.prefix { $0 != UInt8(ascii: ":") }
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[..<end].dropFirst()
        }
        // The bracket that ends an address belongs to neither part.
        let rest = text[host.endIndex...].drop { $0 == UInt8(ascii: "]") && text.first == UInt8(ascii: "[") }
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty else {
            self.init(host: String(decoding: host, as: UTF8.self), port: nil)
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == UInt8(ascii: ":"), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let port = UInt16(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self.init(host: String(decoding: host, as: UTF8.self), port: port)
    }
}

/// Scheme, host and port: what browsers call an origin (RFC 6454, 4).
struct WebOrigin: Equatable, Sendable {
    var scheme: String
    var host: String
    var port: UInt16

    /// - Parameter scheme: `http` or `https`, whose usual port is meant where none is written.
    init(scheme: String, _ authority: Authority) {
        self.scheme = scheme
        host = authority.host
        port = authority.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The value of an `Origin` header such as `http://localhost:8080`; nil for `null` and other schemes.
    init?(_ text: String) {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        let rest = text.utf8[scheme.endIndex...]
        guard ["http", "https"].contains(name), rest.starts(with: "://".utf8),
            let authority = Authority(Substring(rest.dropFirst(3)))
        else { return nil }
        self.init(scheme: name, authority)
    }
}
