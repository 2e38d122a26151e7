import Configuration
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Logging

/// What differs in a program that a plain `swift build` has built, with FlyingFox as it is published, without the
/// patches in `patches/FlyingFox` (`docs/upstream`).
///
/// Without the patches, a long line in a head blocks the server for seconds, and a frame may be as large as the memory.
/// Any page in a browser on this machine can send such a head, and any client with a WebSocket such a frame.
enum FlyingFoxPatches {
    /// Whether FlyingFox is built with the patches.
    static let arePresent = HTTPServer.longestHead != nil

    /// The time for a route to respond, in seconds. Routes and the pool have their own limits, but FlyingFox without the
    /// patches requires a limit, and keeps a timer of that length for every request.
    static let responseTimeout = arePresent ? TimeInterval.infinity : 60

    /// Warns about a server without the patches.
    /// - Throws: `WebError.unpatched` if it would listen on a network.
    static func check(_ address: String, log: Logger) throws(WebError) {
        guard !arePresent else { return }
        guard IPAddress(address)?.isLoopback ?? true else { throw .unpatched(address) }
        log.warning(
            "This build lacks the patches that `make build` applies: a page in a browser on this machine can block the server for seconds."
        )
    }

    /// Returns whether the client masked a frame (RFC 6455, 5.1), which only the patched decoder reports.
    static func isMasked(_ frame: WSFrame) -> Bool { frame.mask != nil || !arePresent }
}

/// The members that patches declare. A member of the type itself takes precedence over one of a protocol.
protocol Unpatched {}

extension Unpatched {
    /// The longest head of a request, in bytes; nil if there is no limit.
    static var longestHead: Int? { nil }
    /// The descriptor of the request's connection, if known.
    var socket: Socket.FileDescriptor? { nil }
}

extension HTTPServer: Unpatched {}
extension HTTPRequest: Unpatched {}
