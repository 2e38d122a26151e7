import Capture
import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Glibc
import Handoff
import Logging
import Readings
import Untrusted

/// The handler of all requests. It checks them, grants access, calls the routes, and adds the common headers.
///
/// FlyingFox's own routes are not used, because they respond to a wrong method with 404, and decode paths.
struct WebApp: HTTPHandler {
    private let gate: RequestGuard
    let proxies: TrustedProxies
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
    let documents = DocumentCache()
    /// The places of responses that are under way.
    let transfers = ShareLimiter(total: 64, max: 16, reserved: 16)
    /// The places of requests that change something or bring a body, by its length, until their response is sent.
    let changes = ShareLimiter(total: 128, max: 32)
    /// The places of WebSockets of both kinds. Programs on this machine with full access may have more of them.
    let sockets = ShareLimiter(total: 2304, max: 256, maxLocal: 2048, reserved: 256)
    /// The places of streams, snapshots, and WebSockets while they wait for a picture or receive one.
    let viewers = ShareLimiter(total: 128, max: 64, reserved: 32)
    /// The places of WebSockets that get the fleet, which is ten times as long as a reading, or hundreds of times.
    let fleetViewers = ShareLimiter(total: 64, max: 16, reserved: 16)
    /// The places of WebSockets that get long readings, and of requests for one, by the size of these.
    let longViewers = ShareLimiter(total: 1_024, max: 512, reserved: 256)
    let longReadings = ShareLimiter(total: 512, max: 256, reserved: 128)
    /// The places of samples that are under way.
    let sampling = ShareLimiter(total: 16, max: WebApp.maxSamplesPerClient)
    /// The place of the measurement of patches that is under way.
    let patches = ShareLimiter(total: 1, max: 1)
    let timeout: Duration
    /// The limiter of the marks that clients set.
    let marks: NetworkRateLimiter
    private let log: RateLimitedLogger

    /// - Parameter timeout: The maximum time that a route waits for the camera, or for places.
    init(
        shared: SharedState, pages: Pages, broadcaster: WebSocketBroadcaster, broker: Broker? = nil,
        timeout: Duration = Demand.maxWait
    ) {
        let web = shared.config.value.effective.web
        gate = RequestGuard(web)
        proxies = TrustedProxies(web.trustedProxies)
        access = AccessControl(web, clocks: shared.clocks, log: shared.log)
        marks = NetworkRateLimiter(each: Self.maxMarkRate, all: Self.maxMarkRateOfAll, clocks: shared.clocks)
        frameAncestors = web.frameAncestors
        self.shared = shared
        self.pages = pages
        self.broker = broker
        self.broadcaster = broadcaster
        probeSockets = WebSocketBroadcaster(demand: shared.demand)
        self.timeout = timeout
        log = RateLimitedLogger(shared.log)
    }

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        // The memory of the deepest call belongs to the task until it ends, which is when the connection is closed. That of
        // a task for the request ends with it.
        let response = await Task { await answer(request) }.value
        // FlyingFox ignores the case of methods, but only `HEAD` in capitals is a known method; any other gets a body.
        let isHead = request.method.rawValue == HTTPMethod.HEAD.rawValue
        return (isHead ? response.withoutBody : response)
            .withCommonHeaders(frameAncestors: frameAncestors, at: time(nil))
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

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await answer(request, from: proxies.client(of: request))
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

    private func answer(_ request: HTTPRequest, from client: Client) async throws -> HTTPResponse {
        guard let request = request.inOriginForm else { throw HTTPError.badHost }
        if let refusal = gate.refusal(of: request, from: client) { throw refusal }
        let path = request.target.path()
        if let routes = openRoutes(path, client) { return try await answer(request, by: routes) }
        guard let route = route(path) else { throw HTTPError.notFound }
        let principal = access.principal(of: request, from: client)
        return try await answer(
            request,
            by: route.handlers.mapValues { handler in
                { request in
                    // A wrong method is reported even without access, because the routes are public.
                    guard let principal else { return try await refuse(request, from: client) }
                    guard principal.access == .control || request.isSafe else { throw HTTPError.readOnly }
                    try check(request, takes: route.parameters)
                    guard !request.isSafe else { return try await handler.respond(request, principal) }
                    let places = try await places(forChange: request, principal.key)
                    return try await handler.respond(request, principal).holding(places)
                }
            })
    }

    private func answer(
        _ request: HTTPRequest, by routes: [HTTPMethod: @Sendable (HTTPRequest) async throws -> HTTPResponse]
    ) async throws -> HTTPResponse {
        guard let route = routes[request.method == .HEAD ? .GET : request.method] else {
            let methods = routes.keys.flatMap { $0 == .GET ? ["GET", "HEAD"] : [$0.rawValue] }
            let list = methods.sorted().joined(separator: ", ")
            throw HTTPError(
                status: .methodNotAllowed, code: "method-not-allowed", message: "This address accepts only \(list).",
                headers: [HTTPHeader("Allow"): list])
        }
        return try await route(request)
    }

    /// Refuses a request with a parameter that has no effect, because it is probably misspelt, and one that gives a
    /// parameter two values.
    private func check(_ request: HTTPRequest, takes known: [String]) throws(HTTPError) {
        if let name = known.first(where: { request.values(of: $0).count > 1 }) {
            throw HTTPError.badRequest(code: "repeated-parameter", "\(name) is given more than once.")
        }
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
        guard let text = try? pages.problem(refusal.status.phrase, message: refusal.message) else { return nil }
        return page(text, explaining: refusal)
    }
}

extension ShareLimiter<ClientKey> {
    /// - Parameters:
    ///   - max: The maximum number of places of a client.
    ///   - maxLocal: The same of programs on this machine with full access.
    ///   - reserved: The number of places that clients without full access leave free.
    fileprivate convenience init(total: Int, max: Int, maxLocal: Int? = nil, reserved: Int = 0) {
        self.init(total: total) { client in
            let isControl = client.access == .control
            return .init(
                max: isControl && client.network?.isLoopback == true ? maxLocal ?? max : max,
                leaving: isControl ? 0 : reserved)
        }
    }
}

extension HTTPRequest {
    /// Whether the request changes nothing (RFC 9110, 9.2.1).
    fileprivate var isSafe: Bool { method == .GET || method == .HEAD }

    /// Whether a browser requests a page for a person. Programs and the scripts of pages accept anything or JSON.
    fileprivate var wantsPage: Bool { isSafe && headers[HTTPHeader("Accept")]?.contains("text/html") ?? false }
}
