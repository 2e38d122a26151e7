import FlyingFox
import FlyingSocks

/// Whether the FlyingFox that this program was built with is the patched one, which bounds the heads of requests and the
/// frames of WebSockets (`patches/FlyingFox`, `docs/upstream`).
///
/// Without the patches a long line of a head stops the server for seconds, and a frame may be as large as memory: any
/// page in a browser on this machine can send the one, and anybody who may open a WebSocket the other.
enum FlyingFoxPatches {
    static let arePresent = HTTPServer.longestHead != nil
}

/// Says what the patches say better: a member of the type itself is preferred to one of a protocol.
private protocol UnboundedServer {}

extension UnboundedServer {
    /// The longest head of a request, in bytes; nil: no bound.
    static var longestHead: Int? { nil }
}

extension HTTPServer: UnboundedServer {}

/// The same for what a request tells of its connection.
private protocol ConnectionlessRequest {}

extension ConnectionlessRequest {
    /// The descriptor of the connection that the request came by; nil: not known.
    var socket: Socket.FileDescriptor? { nil }
}

extension HTTPRequest: ConnectionlessRequest {}

extension HTTPRequest {
    /// The socket of the connection that the request came by, for as long as that is open; nil: not known.
    var directSocket: DirectSocket? { socket.map { DirectSocket(file: $0.rawValue) } }
}
