import FlyingFox
import FlyingSocks

/// The check whether this program was built with the patched FlyingFox, which bounds the heads of requests and the
/// frames of WebSockets (`patches/FlyingFox`, `docs/upstream`).
///
/// Without the patches, a long line in a head blocks the server for seconds, and a frame may be as large as the memory.
/// Any page in a browser on this machine can send such a head, and any client with a WebSocket such a frame.
enum FlyingFoxPatches {
    static let arePresent = HTTPServer.longestHead != nil
}

/// The defaults without the patches. A member of the type itself takes precedence over one of a protocol.
private protocol UnboundedServer {}

extension UnboundedServer {
    /// The longest head of a request, in bytes; nil if there is no limit.
    static var longestHead: Int? { nil }
}

extension HTTPServer: UnboundedServer {}

/// The default for the connection of a request without the patches.
protocol ConnectionlessRequest {}

extension ConnectionlessRequest {
    /// The descriptor of the request's connection, if known.
    var socket: Socket.FileDescriptor? { nil }
}

extension HTTPRequest: ConnectionlessRequest {}
