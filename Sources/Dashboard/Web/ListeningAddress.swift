import Configuration

/// Where the server listens.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal address.
    package var host: String
    package var port: UInt16

    /// `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String { "\(bracketedHost):\(port)" }

    /// What a person opens in a browser on this machine.
    package var url: String {
        guard IPAddress(host)?.isWildcard == true else { return "http://\(self)/" }
        return "http://localhost:\(port)/"
    }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}
