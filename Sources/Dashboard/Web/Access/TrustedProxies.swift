import Configuration
import FlyingFox

/// The reverse proxies whose forwarding headers are trusted.
struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]
    /// Those of them that have admitted the user themselves.
    private let ingress: [IPNetwork]

    /// - Parameters:
    ///   - list: Addresses and networks.
    ///   - ingress: The addresses and networks of those that have admitted the user themselves.
    init(_ list: [String] = [], ingress: [String] = []) {
        self.ingress = ingress.compactMap(IPNetwork.init)
        networks = list.compactMap(IPNetwork.init) + self.ingress
    }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Determines the sender of a request.
    ///
    /// Each proxy appends the address that it received the request from to `X-Forwarded-For`. The list is followed from its
    /// end as long as the address that appended an entry is trusted. Earlier entries may be forged.
    func client(of request: HTTPRequest) -> Client {
        guard var address = Self.peer(of: request) else { return Client() }
        guard contains(address) else {
            let isForwarded = Self.forwardingHeaders.contains { request.headers[$0] != nil }
            return Client(network: .ofClient(at: address), isLocal: address.isLoopback && !isForwarded)
        }
        let isAdmitted = ingress.contains { $0.contains(address) }
        let hops = request.headers.list(HTTPHeader("X-Forwarded-For"))
        for hop in hops.reversed() {
            guard let sender = Self.address(hop) else { break }
            address = sender
            guard contains(sender) else { break }
        }
        // Traefik names the scheme of a WebSocket.
        let scheme = request.headers.list(HTTPHeader("X-Forwarded-Proto")).last?.lowercased()
        return Client(
            network: .ofClient(at: address), usesTLS: scheme == "https" || scheme == "wss",
            prefix: Self.prefix(request.headers.list(HTTPHeader("X-Forwarded-Prefix"))), isAdmitted: isAdmitted)
    }

    /// Joins the paths that proxies have removed from the address, that of the first proxy first.
    /// - Returns: A path such as `/swatch`; empty if they are not a path.
    private static func prefix(_ parts: [String]) -> String {
        let segments = parts.flatMap { $0.split(separator: "/") }
        let isPath = segments.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9._~%-]+/) != nil && $0 != "." && $0 != ".." }
        let path = segments.map { "/\($0)" }.joined()
        return isPath && path.utf8.count <= 200 ? path : ""
    }

    /// The address that a request came from; nil if it did not come over IP.
    private static func peer(of request: HTTPRequest) -> IPAddress? {
        switch request.remoteAddress {
        case .ip4(let host, _), .ip6(let host, _): IPAddress(host)
        case .unix, nil: nil
        }
    }

    /// The headers that proxies add. A request with any of them was sent on behalf of another client.
    private static let forwardingHeaders = ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"].map { HTTPHeader($0) }

    /// Parses `192.0.2.1`, `192.0.2.1:49152`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:49152`.
    private static func address(_ text: String) -> IPAddress? {
        IPAddress(text) ?? Authority(text).flatMap { IPAddress($0.host) }
    }
}

/// The sender of a request, as far as the connection and trusted proxies reveal it.
struct Client: Equatable, Sendable {
    var network: IPNetwork?
    /// Whether the connection is encrypted, according to a trusted proxy. Swatchcam itself serves only plain HTTP.
    var usesTLS = false
    /// The path under which a trusted proxy shows the pages, such as `/swatch`; empty if it has named none.
    var prefix = ""
    /// Whether the client is a program on this machine that is not behind a proxy.
    var isLocal = false
    /// Whether a proxy has admitted the user, so that no token is needed.
    var isAdmitted = false
}
