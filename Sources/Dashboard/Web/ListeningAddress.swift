import Configuration

/// The address that the server listens on.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal IP address.
    package var host: String
    /// The TCP port; 0 stands for any free one until the server listens.
    package var port: UInt16

    /// The host and the port, such as `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { Authority(host: host, port: port).description }

    /// The URL of the dashboard for a browser on this machine.
    package var url: String {
        guard IPAddress(host)?.isWildcard == true else { return "http://\(self)/" }
        return "http://localhost:\(port)/"
    }
}
