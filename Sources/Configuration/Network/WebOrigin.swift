/// A scheme, host and port, which browsers call an origin (RFC 6454, 4).
package struct WebOrigin: Equatable, Sendable {
    package var scheme: String
    package var host: String
    package var port: UInt16

    /// - Parameter scheme: `http` or `https`. Its default port applies if the authority has none.
    package init(scheme: String, _ authority: Authority) {
        self.scheme = scheme
        host = authority.host
        port = authority.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Parses the value of an `Origin` header, such as `http://localhost:8080`; nil for `null` and other schemes.
    package init?(_ text: String) {
        guard let (scheme, authority) = Self.parts(of: text), let authority = Authority(authority) else { return nil }
        self.init(scheme: scheme, authority)
    }

    /// Returns the scheme, in lower case, and the text after `://`; nil if the scheme is not `http` or `https`.
    static func parts(of text: String) -> (scheme: String, authority: Substring)? {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        let rest = text.utf8[scheme.endIndex...]
        guard ["http", "https"].contains(name), rest.starts(with: "://".utf8) else { return nil }
        return (name, Substring(rest.dropFirst(3)))
    }
}

/// A host and a port, as in a `Host` header, an origin or the address of a server (RFC 3986, 3.2).
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// The host in lower case, without the brackets of an IPv6 address.
    package var host: String
    /// The port; nil if the text has none.
    package var port: UInt16?

    package init(host: String, port: UInt16?) {
        self.host = host.lowercased()
        self.port = port
    }

    /// Parses `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let text = text.utf8
        guard text.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
        var host = text.prefix { $0 != UInt8(ascii: ":") }
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[..<end].dropFirst()
        }
        // The bracket that ends an address belongs to neither part.
        let rest = text[host.endIndex...].dropFirst(text.first == UInt8(ascii: "[") ? 1 : 0)
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

    /// The text of a URL: `127.0.0.1:8080`, `[::1]:8080`, `localhost`.
    package var description: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}
