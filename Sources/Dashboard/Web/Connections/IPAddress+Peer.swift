import Configuration
import FlyingFox
import FlyingSocks

/// The other end of a connection.
extension IPAddress {
    /// The address of a connected socket; nil if it is not connected over IP.
    init?(_ peer: Socket.Address) {
        switch peer {
        case .ip4(let host, _), .ip6(let host, _): self.init(host)
        case .unix: return nil
        }
    }

    /// The address that a request came from; nil if it did not come over IP.
    init?(_ peer: HTTPRequest.Address) {
        switch peer {
        case .ip4(let host, _), .ip6(let host, _): self.init(host)
        case .unix: return nil
        }
    }
}
