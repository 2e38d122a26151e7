import Configuration
import FlyingFox

/// Who sent a request, as far as the connection and trusted proxies tell.
struct Client: Equatable, Sendable {
    /// Where it is; nil: not known.
    var network: IPNetwork?
    /// Whether its connection is encrypted. Swatchcam itself speaks plain HTTP, so a trusted proxy must have said so.
    var usesTLS = false
    /// Whether it is a program on this machine that speaks for itself.
    var isLocal = false
}

/// The reverse proxies that are believed about whom they speak for.
struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]

    /// - Parameter list: Addresses and networks as the configuration has them.
    init(_ list: [String] = []) {
        networks = list.compactMap(IPNetwork.init)
    }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The sender of a request.
    ///
    /// Each proxy appends to `X-Forwarded-For` whom it heard the request from. The list is followed from its end, hop by
    /// hop, as long as the one who wrote it is trusted: what stands before that is anybody's claim.
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

    /// What proxies add: somebody is behind the connection, though nobody says reliably who.
    private static let forwardingHeaders = ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"].map { HTTPHeader($0) }

    /// `192.0.2.1`, `192.0.2.1:49152`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:49152`.
    private static func address(_ text: String) -> IPAddress? {
        IPAddress(text) ?? Authority(text).flatMap { IPAddress($0.host) }
    }
}

extension HTTPHeaders {
    /// The members of a list-valued field (RFC 9110, 5.6.1), in order, without blanks around them.
    func list(_ header: HTTPHeader) -> [String] {
        (self[header] ?? "").utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
            String(Substring(member)).trimmingBlanks
        }
    }
}

extension String {
    /// Without spaces and tabs around it, which is what HTTP calls white space (RFC 9110, 5.6.3).
    var trimmingBlanks: String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
