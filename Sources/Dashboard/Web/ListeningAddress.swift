import Configuration

/// The address that the server listens on.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal IP address.
    package var host: String
    package var port: UInt16

    /// `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String { Authority(host: host, port: port).description }

    /// The URL for a browser on this machine.
    package var url: String {
        guard IPAddress(host)?.isWildcard == true else { return "http://\(self)/" }
        return "http://localhost:\(port)/"
    }
}
