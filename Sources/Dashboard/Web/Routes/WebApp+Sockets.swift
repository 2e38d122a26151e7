import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State

/// WebSockets.
extension WebApp {
    /// The only version in use. The refusal of another one contains it (RFC 6455, 4.4).
    private static let webSocketVersion = "13"

    var socketRoutes: [Route] {
        [
            Route(.GET, "/ws", parameters: [.probeDetail], "Every new reading, over a WebSocket", openReadingSocket)
                .described(
                    "watchReadings", tag: "Readings",
                    "The handshake needs `Connection: upgrade`, `Upgrade: websocket`, `Sec-WebSocket-Version: 13` "
                        + "and a `Sec-WebSocket-Key`. From a browser, `Origin` must be the server's own.",
                    .socket(
                        "The socket is open (RFC 6455). Each text message is one `Reading`; the first comes at once, "
                            + "or with the next frame. If a client sends anything but control frames, the socket is "
                            + "closed with 1008.", "Reading")),
            Route(
                .GET, "/ws/picture", parameters: [.view], "One picture for each request, over a WebSocket",
                openPictureSocket
            )
            .described(
                "requestPictures", tag: "Pictures",
                "The handshake is that of `/ws`. A slow client gets fewer pictures, but always a recent one.",
                .socket(
                    "The socket is open (RFC 6455). The client sends the text `next` when it can take a picture. The "
                        + "server answers with one binary message, a JPEG image newer than the last one that it "
                        + "sent; it waits until there is one. A `next` while a picture is outstanding changes "
                        + "nothing, but a client may not send many of them. Any other message closes the socket with "
                        + "1008.")),
            Route(.GET, "/ws/fleet", "The instances that use the same MQTT broker, over a WebSocket", openFleetSocket)
                .described(
                    "followFleet", tag: "Fleet",
                    "The handshake is that of `/ws`. The list is kept only while somebody receives it: it is "
                        + "complete after 30 s.",
                    .socket(
                        "The socket is open (RFC 6455). The server sends the whole list, a `Fleet`, once a second if "
                            + "it has changed, and every 5 s otherwise. A client that sends anything is disconnected "
                            + "with 1008.", "Fleet")),
        ]
    }

    private func openReadingSocket(_ call: Call) async throws -> HTTPResponse {
        let isWhole = try call.request.wantsWholeProbes()
        let room = MessageRoom(of: call.principal.key, in: shares.longViewers)
        return try await openSocket(call, of: isWhole ? probeSockets : broadcaster) { subscription throws(HTTPError) in
            guard subscription.outbox.attach(call.request.directSocket, room) else { throw .tooManyClients }
            return ReadingSocketHandler(subscription: subscription)
        }
    }

    private func openFleetSocket(_ call: Call) async throws -> HTTPResponse {
        try await openSocket(call, of: fleetSockets) { subscription throws(HTTPError) in
            guard let place = shares.fleetViewers.begin(for: call.principal.key) else { throw .tooManyClients }
            subscription.outbox.attach(call.request.directSocket)
            let watching = broker?.roster.watch()
            return ReadingSocketHandler(
                subscription: subscription, interest: InterestToken { withExtendedLifetime((watching, place)) {} })
        }
    }

    private func openPictureSocket(_ call: Call) async throws -> HTTPResponse {
        try await openSocket(call, of: pictureSockets) { subscription throws(HTTPError) in
            let view = try call.request.pictureView()
            let (hub, viewers) = (shared.pictures, shares.viewers)
            return PictureSocketHandler(subscription: subscription) {
                guard let place = await viewers.begin(for: call.principal.key, within: nil) else { return nil }
                return hub.join(view, session: call.principal.session, holding: place)
            }
        }
    }

    /// - Parameter sockets: The WebSockets of the same kind, which the new one joins.
    private func openSocket(
        _ call: Call, of sockets: WebSocketBroadcaster,
        by makeHandler: (Subscription) throws(HTTPError) -> some WSHandler
    ) async throws -> HTTPResponse {
        let request = call.request
        // HTTP/1.0 has no upgrades (RFC 9110, 7.8). nginx sends it unless it is configured otherwise.
        guard request.version == .http11 else {
            throw HTTPError(
                status: HTTPStatusCode(505, phrase: "HTTP Version Not Supported"), code: "old-version",
                message: "A WebSocket requires HTTP/1.1. nginx needs proxy_http_version 1.1 for that.")
        }
        // A body would be read as frames.
        guard request.method == .GET, request.bodySequence.count == 0,
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
        guard let place = shares.sockets.begin(for: call.principal.key),
            let subscription = sockets.join(call.principal.session, holding: place)
        else {
            throw HTTPError.tooManyClients
        }
        // If the client has logged out or the tokens have changed since the check, this subscription was not ended.
        guard access.stillAdmits(call.principal) else { throw HTTPError.noToken }
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
