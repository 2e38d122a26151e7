import FlyingFox
import FlyingSocks

/// The other end of a connection.
struct Peer: Hashable, Sendable {
    /// A literal address.
    var host: String
    var port: UInt16

    /// nil: not connected any more, or not over IP.
    init?(_ address: Socket.Address?) {
        switch address {
        case .ip4(let host, let port)?, .ip6(let host, let port)?: self.init(host: host, port: port)
        case .unix?, nil: return nil
        }
    }

    init?(_ address: HTTPRequest.Address?) {
        switch address {
        case .ip4(let host, let port)?, .ip6(let host, let port)?: self.init(host: host, port: port)
        case .unix?, nil: return nil
        }
    }

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}
