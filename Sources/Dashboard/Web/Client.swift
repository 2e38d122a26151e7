import Configuration
import FlyingFox

/// The sender of a request, as far as the connection and trusted proxies reveal it.
struct Client: Equatable, Sendable {
    /// The network of the client, if known.
    var network: IPNetwork?
    /// Whether the connection is encrypted, according to a trusted proxy. Swatchcam itself serves only plain HTTP.
    var usesTLS = false
    /// Whether the client is a program on this machine that is not behind a proxy.
    var isLocal = false
}

/// The reverse proxies whose forwarding headers are trusted.
struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]

    /// - Parameter list: The addresses and networks from the configuration.
    init(_ list: [String] = []) {
        networks = list.compactMap(IPNetwork.init)
    }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Determines the sender of a request.
    ///
    /// Each proxy appends the address that it received the request from to `X-Forwarded-For`. The list is followed from its
    /// end as long as the address that appended an entry is trusted. Earlier entries may be forged.
    func client(of request: HTTPRequest) -> Client {
        guard var address = request.remoteAddress.flatMap({ IPAddress($0) }) else { return Client() }
        guard contains(address) else {
            let isForwarded = Self.forwardingHeaders.contains { request.headers[$0] != nil }
            return Client(network: .ofClient(at: address), isLocal: address.isLoopback && !isForwarded)
        }
        let hops = request.headers.list(HTTPHeader("X-Forwarded-For"))
        for hop in hops.reversed() {
            guard let sender = Self.address(hop) else { break }
            address = sender
            guard contains(sender) else { break }
        }
        let scheme = request.headers.list(HTTPHeader("X-Forwarded-Proto")).last
        return Client(network: .ofClient(at: address), usesTLS: scheme?.lowercased() == "https")
    }

    /// The headers that proxies add. A request with any of them was sent on behalf of another client.
    private static let forwardingHeaders = ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"].map { HTTPHeader($0) }

    /// Parses `192.0.2.1`, `192.0.2.1:49152`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:49152`.
    private static func address(_ text: String) -> IPAddress? {
        IPAddress(text) ?? Authority(text).flatMap { IPAddress($0.host) }
    }
}

extension HTTPHeaders {
    /// Returns the members of a list-valued field (RFC 9110, 5.6.1), in order, without surrounding blanks.
    func list(_ header: HTTPHeader) -> [String] {
        (self[header] ?? "").utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
            String(Substring(member)).trimmingBlanks
        }
    }
}

extension String {
    /// The text without surrounding spaces and tabs, the whitespace of HTTP (RFC 9110, 5.6.3).
    var trimmingBlanks: String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
