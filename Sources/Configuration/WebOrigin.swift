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
