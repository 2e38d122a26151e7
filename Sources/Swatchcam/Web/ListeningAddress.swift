import Configuration

/// Where the server listens.
struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal address.
    var host: String
    var port: UInt16

    /// `127.0.0.1:8080`, `[::1]:8080`.
    var description: String { "\(bracketedHost):\(port)" }

    /// What a person opens in a browser on this machine.
    var url: String {
        guard IPAddress(host)?.isWildcard == true else { return "http://\(self)/" }
        return "http://localhost:\(port)/"
    }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}
