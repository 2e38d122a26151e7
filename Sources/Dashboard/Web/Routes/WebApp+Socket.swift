import Capture
import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Handoff
import Readings

/// WebSockets.
extension WebApp {
    /// The only version in use. The refusal of another one contains it (RFC 6455, 4.4).
    private static let webSocketVersion = "13"

    /// Handles `GET /ws`, a WebSocket that sends readings.
    func openReadingSocket(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let isWhole = try wantsWholeProbes(request)
        let reading = isWhole ? await shared.reading : shared.readings.value
        guard isWhole || reading.isLong else {
            return try await openSocket(request, principal, of: broadcaster) { subscription throws(HTTPError) in
                subscription.outbox.attach(request.directSocket)
                return ReadingSocketHandler(subscription: subscription)
            }
        }
        let (_, places) = try await longReading(
            reading, withWholeProbes: isWhole, principal, takingFrom: longViewers)
        return try await openSocket(request, principal, of: isWhole ? probeSockets : broadcaster) {
            subscription throws(HTTPError) in
            subscription.outbox.attach(request.directSocket)
            return ReadingSocketHandler(
                subscription: subscription, interest: InterestToken { withExtendedLifetime(places) {} })
        }
    }

    /// Handles `GET /ws/fleet`, a WebSocket that sends the instances that use the same broker.
    func openFleetSocket(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await openSocket(request, principal, of: fleetSockets) { subscription throws(HTTPError) in
            guard let place = fleetViewers.begin(for: principal.key) else { throw .tooManyClients }
            subscription.outbox.attach(request.directSocket)
            let watching = broker?.roster.watch()
            return ReadingSocketHandler(
                subscription: subscription, interest: InterestToken { withExtendedLifetime((watching, place)) {} })
        }
    }

    /// - Parameter sockets: The WebSockets of the same kind, which the new one joins.
    func openSocket(
        _ request: HTTPRequest, _ principal: Principal, of sockets: WebSocketBroadcaster,
        by makeHandler: (Subscription) throws(HTTPError) -> some WSHandler
    ) async throws -> HTTPResponse {
        // HTTP/1.0 has no upgrades (RFC 9110, 7.8), and a body would be read as frames.
        guard request.method == .GET, request.version == .http11, request.bodySequence.count == 0,
            request.headers[.upgrade]?.lowercased() == "websocket",
            request.headers[.webSocketVersion] ?? Self.webSocketVersion == Self.webSocketVersion
        else {
            throw HTTPError(
                status: .upgradeRequired, code: "websocket-only",
                message: "This address accepts only WebSocket connections, version \(Self.webSocketVersion).",
                headers: [
                    .upgrade: "websocket", .webSocketVersion: Self.webSocketVersion, .connection: "upgrade",
                ])
        }
        guard let place = self.sockets.begin(for: principal.key),
            let subscription = sockets.join(principal.session, holding: place)
        else {
            throw HTTPError.tooManyClients
        }
        // If the client has logged out or the tokens have changed since the check, this subscription was not ended.
        guard access.stillAdmits(principal) else { throw HTTPError.noToken }
        let handler = try makeHandler(subscription)
        let response = try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
        guard response.statusCode == .switchingProtocols else {
            throw HTTPError.badRequest(
                code: "bad-handshake",
                "This is not a WebSocket handshake. It requires Connection: upgrade, a Sec-WebSocket-Key and version 13."
            )
        }
        return response
    }
}

extension HTTPError {
    static let tooManyClients = HTTPError(
        status: .serviceUnavailable, code: "too-many-clients",
        message:
            "There are too many WebSockets, too many long readings are being sent, or Swatchcam is stopping. Try again later.",
        headers: [.retryAfter: "1"], closesConnection: true)
}
