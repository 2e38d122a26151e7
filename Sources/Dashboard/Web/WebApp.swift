import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Glibc
import Handoff
import Logging
import Readings
import State
import Untrusted

/// The handler of all requests. It checks them, grants access, calls the routes, and adds the common headers.
///
/// A request takes this path. `GuardedSocketPool` admits its connection and bounds the time, and FlyingFox reads the head.
/// `RequestGuard` checks method, host, origin and the length of the body, for the client that `TrustedProxies` determines.
/// `Router` finds the `Route`, and `AccessControl` makes the client a `Principal`; no part of the body is read before that.
/// The handler reads the body, within `JSONLimits`. What concerns a camera or a control it passes to the thread that owns
/// it, through a `RequestQueue`, and waits for 1.8 s at most. `DocumentSender` answers with a document that is larger than
/// a reading; `DocumentCache` makes each version of it once.
///
/// FlyingFox's own routes are not used, because they respond to a wrong method with 404, and decode paths.
struct WebApp: HTTPHandler {
    /// The number of bytes in a body for which a change needs another place.
    private static let changeSize = 65_536

    private let gate: RequestGuard
    private let proxies: TrustedProxies
    let access: AccessControl
    private let frameAncestors: [String]
    let shared: SharedState
    let pages: Pages
    let broker: Broker?
    /// The WebSockets that get readings.
    let broadcaster: WebSocketBroadcaster
    /// The WebSockets that get readings with everything that is known of the probes.
    let probeSockets: WebSocketBroadcaster
    /// The WebSockets that get pictures. Only pings and close frames are broadcast to them.
    let pictureSockets = WebSocketBroadcaster()
    /// The WebSockets that get the fleet.
    let fleetSockets = WebSocketBroadcaster()
    let shares = Shares()
    let documents: DocumentSender
    let timeout: Duration
    /// The limiter of the marks that clients set.
    let marks: NetworkRateLimiter
    private let log: RateLimitedLogger
    private var router = Router()

    /// - Parameter timeout: The maximum time that a route waits for the camera, or for places.
    init(
        shared: SharedState, pages: Pages, broadcaster: WebSocketBroadcaster, broker: Broker? = nil,
        timeout: Duration = Demand.maxWait
    ) {
        let web = shared.config.value.effective.web
        gate = RequestGuard(web, machine: BrokerSettings.hostName)
        proxies = TrustedProxies(web.trustedProxies, ingress: web.ingress)
        access = AccessControl(web, clocks: shared.clocks, log: shared.log)
        marks = NetworkRateLimiter(each: MarkRoutes.maxRate, all: MarkRoutes.maxRateOfAll, clocks: shared.clocks)
        frameAncestors = web.frameAncestors
        (self.shared, self.pages, self.broker, self.timeout) = (shared, pages, broker, timeout)
        self.broadcaster = broadcaster
        probeSockets = WebSocketBroadcaster(demand: shared.demand)
        documents = DocumentSender(transfers: shares.transfers, timeout: timeout)
        log = RateLimitedLogger(shared.log)
        // The routes have a copy of the rest.
        router = Router(routes)
    }

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        // The memory of the deepest call belongs to the task until it ends, which is when the connection is closed. That of
        // a task for the request ends with it.
        let client = proxies.client(of: request)
        let response = await Task { await answer(request, from: client) }.value
        // FlyingFox ignores the case of methods, but only `HEAD` in capitals is a known method; any other gets a body.
        let isHead = request.method.rawValue == HTTPMethod.HEAD.rawValue
        return (isHead ? response.withoutBody : response)
            .withCommonHeaders(frameAncestors: frameAncestors + (client.isAdmitted ? ["'self'"] : []), at: time(nil))
    }

    func handleMalformedRequest(statusCode: HTTPStatusCode, message: String) async -> HTTPResponse {
        HTTPError(status: statusCode, code: "malformed-request", message: message).response
            .withCommonHeaders(frameAncestors: frameAncestors, at: time(nil))
    }

    /// The WebSockets of all kinds.
    var allSockets: [WebSocketBroadcaster] { [broadcaster, probeSockets, pictureSockets, fleetSockets] }

    /// Ends the WebSockets and streams of a session.
    func end(_ session: SessionStore.ID) {
        for sockets in allSockets { sockets.end(session: session) }
        shared.pictures.end(session: session)
    }

    /// Adopts the tokens of an edited configuration. Clients with an old token lose access.
    func followTokens(_ web: Config.Web) {
        guard access.follow(web) else { return }
        for sockets in allSockets { sockets.end() }
        shared.pictures.end()
    }

    /// Marks the sessions with WebSockets and streams as in use.
    func touchSessions() {
        access.touch(allSockets.reduce(shared.pictures.sessions) { $0.union($1.sessions) })
    }

    private func answer(_ request: HTTPRequest, from client: Client) async -> HTTPResponse {
        do {
            return try await response(to: request, from: client)
        } catch let refusal as HTTPError {
            return await explanation(of: refusal, to: request) ?? refusal.response
        } catch {
            log.log(.error, "\(error)")
            return HTTPError(
                status: .internalServerError, code: "internal",
                message: "Swatchcam failed to handle this request. Its log contains the reason."
            ).response
        }
    }

    private func response(to request: HTTPRequest, from client: Client) async throws -> HTTPResponse {
        guard let request = request.inOriginForm else { throw HTTPError.badHost }
        let address = router.address(of: request.target.path())
        if let refusal = gate.refusal(of: request, from: client, maxBodyLength: address?.maxBodyLength) {
            throw refusal
        }
        guard let address else { throw HTTPError.notFound }
        // A wrong method is reported even without access, because the routes are public.
        let route = try address.route(for: request.method)
        let isOpen = route.right == .open || route.right == .metrics && shared.config.value.effective.metrics.open
        let anyone = isOpen ? Principal(access: .view, network: client.network) : nil
        guard let principal = anyone ?? access.principal(of: request, from: client) else {
            return try await refuse(request, from: client)
        }
        guard route.right != .control || principal.access == .control else { throw HTTPError.readOnly }
        try check(request, takes: route.queryNames, ignoringOthers: route.ignoresOtherParameters)
        let call = Call(request: request, client: client, principal: principal, route: route, name: address.name)
        guard route.right == .control else { return try await route.respond(call) }
        let places = try await places(forChange: call)
        return try await route.respond(call).holding(places)
    }

    /// Returns the places that a request which changes something holds until its response is sent.
    /// - Throws: An `HTTPError` if the client has too many such requests under way.
    private func places(forChange call: Call) async throws(HTTPError) -> Places {
        // A body of unknown length is refused before it is read.
        let length = min(call.request.bodySequence.count ?? 0, RequestGuard.maxChartLength)
        let count = 1 + length / Self.changeSize
        guard let places = await shares.changes.begin(count, for: call.principal.key, within: timeout) else {
            throw .tooManyTransfers
        }
        return places
    }

    /// Refuses a request with a parameter that has no effect, because it is probably misspelt, and one that gives a
    /// parameter two values.
    private func check(
        _ request: HTTPRequest, takes known: [String], ignoringOthers: Bool
    ) throws(HTTPError) {
        if let name = known.first(where: { request.values(of: $0).count > 1 }) {
            throw HTTPError.badRequest(code: "repeated-parameter", "\(name) is given more than once.")
        }
        guard !ignoringOthers else { return }
        // Byte by byte, as `HTTPRequest.parameter` compares names.
        let unknown = request.query.first { item in !known.contains { $0.utf8.elementsEqual(item.name.utf8) } }
        guard let name = unknown?.name.sanitized(limit: 64) else { return }
        throw HTTPError.badRequest(
            code: "unknown-parameter",
            "\(name.isEmpty ? "An empty name" : name): unknown parameter; this address takes "
                + "\(known.isEmpty ? "none" : known.joined(separator: ", ")).")
    }

    /// Refuses access: a browser gets the login page, any other program the error.
    private func refuse(_ request: HTTPRequest, from client: Client) async throws -> HTTPResponse {
        let refusal = access.refusal(of: request, from: client)
        guard request.wantsPage else { throw refusal }
        return try await login(before: request, because: refusal)
    }

    /// Returns the response that explains an error to a person: a page with the status and the headers of the error;
    /// nil for programs.
    private func explanation(of refusal: HTTPError, to request: HTTPRequest) async -> HTTPResponse? {
        guard request.wantsPage, !refusal.closesConnection else { return nil }
        await pages.refresh()
        guard
            let text = try? pages.problem(
                refusal.status.phrase, message: refusal.message, at: request.target.path())
        else { return nil }
        return .page(text, explaining: refusal)
    }
}

extension HTTPRequest {
    /// Whether a browser requests a page for a person. Programs and the scripts of pages accept anything or JSON.
    fileprivate var wantsPage: Bool {
        (method == .GET || method == .HEAD) && headers[HTTPHeader("Accept")]?.contains("text/html") ?? false
    }
}
