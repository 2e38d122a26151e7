import FlyingFox
import Foundation

/// Readings as they come.
extension WebApp {
    /// The only version in use; a request for another one is refused and told this one (RFC 6455, 4.4).
    private static let webSocketVersion = "13"

    /// `GET /ws`.
    func openSocket(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        // HTTP/1.0 has no upgrades (RFC 9110, 7.8), and what stands in a body would be taken for frames.
        guard request.method == .GET, request.version == .http11, request.bodySequence.count == 0,
            request.headers[.upgrade]?.lowercased() == "websocket",
            request.headers[.webSocketVersion] ?? Self.webSocketVersion == Self.webSocketVersion
        else {
            var response = HTTPError(
                status: .upgradeRequired, code: "websocket-only",
                message: "This address accepts only WebSocket connections, version \(Self.webSocketVersion)."
            ).response
            response.headers[.upgrade] = "websocket"
            response.headers[.webSocketVersion] = Self.webSocketVersion
            response.headers[.connection] = "upgrade"
            return response
        }
        guard let subscription = broadcaster.join(caller.session) else {
            throw HTTPError(
                status: .serviceUnavailable, code: "too-many-clients",
                message: "There are too many WebSockets open, or Swatchcam is stopping. Try again later.",
                closesConnection: true)
        }
        // Those who left since were told before this one joined.
        guard access.isWelcome(caller) else { throw HTTPError.noToken }
        let socket = ReadingSocketHandler(subscription: subscription)
        let response = try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        guard response.statusCode == .switchingProtocols else {
            throw HTTPError(
                status: .badRequest, code: "bad-handshake",
                message:
                    "This is no WebSocket handshake: it needs Connection: upgrade, a Sec-WebSocket-Key and version 13.")
        }
        subscription.outbox.attach(request.directSocket)
        return response
    }
}
