import Capture
import Configuration
import FlyingFox
import Foundation
import Handoff
import Logging

/// Everything that is served: the guard, who may do what, the routes, and the headers that all answers carry.
///
/// The routes are ours because FlyingFox answers a wrong method with 404, and decodes paths.
struct WebApp: HTTPHandler {
    private let gate: RequestGuard
    private let proxies: TrustedProxies
    let access: AccessControl
    private let frameAncestors: [String]
    let sources: WebSources
    let pages: Pages
    let broadcaster: WebSocketBroadcaster
    let patience: Duration
    private let log: RateLimitedLogger

    /// - Parameters:
    ///   - patience: How long a route waits for the camera.
    ///   - now: What the time is, for sessions and wrong tokens.
    init(
        sources: WebSources, pages: Pages, broadcaster: WebSocketBroadcaster, patience: Duration = .milliseconds(1800),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, log: Logger
    ) {
        let web = sources.config.value.web
        gate = RequestGuard(web)
        proxies = TrustedProxies(web.trustedProxies)
        access = AccessControl(web, now: now, log: log)
        frameAncestors = web.frameAncestors
        self.sources = sources
        self.pages = pages
        self.broadcaster = broadcaster
        self.patience = patience
        self.log = RateLimitedLogger(log)
    }

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        let response = await answer(request, from: proxies.client(of: request))
        // FlyingFox compares methods without their case, and the answer to `head` has a body.
        let isHead = request.method.rawValue == HTTPMethod.HEAD.rawValue
        return (isHead ? response.withoutBody : response).finished(frameAncestors: frameAncestors, at: time(nil))
    }

    func handleMalformedRequest(statusCode: HTTPStatusCode, message: String) async -> HTTPResponse {
        HTTPError(status: statusCode, code: "malformed-request", message: message).response
            .finished(frameAncestors: frameAncestors, at: time(nil))
    }

    /// Ends what a session has open.
    func end(_ session: SessionStore.ID) {
        broadcaster.end(session: session)
        sources.pictures.end(session: session)
    }

    /// Follows an edit of the tokens: whoever came in by the old ones has to show the new.
    func followTokens(_ web: Config.Web) {
        guard access.follow(web) else { return }
        broadcaster.end()
        sources.pictures.end()
    }

    /// Notes which sessions are in use.
    func touchSessions() { access.touch(broadcaster.sessions.union(sources.pictures.sessions)) }

    private func answer(_ request: HTTPRequest, from client: Client) async -> HTTPResponse {
        guard let request = request.inOriginForm else { return HTTPError.badHost.response }
        if let refusal = gate.refusal(of: request, from: client) { return refusal.response }
        let path = request.target.path()
        do {
            if let routes = openRoutes(path, client) { return try await answer(request, by: routes) }
            guard let routes = routes(path) else { throw HTTPError.notFound }
            let caller = access.caller(of: request, from: client)
            return try await answer(
                request,
                by: routes.mapValues { route in
                    { request in
                        // A wrong method is told to strangers, too: every copy of the program has the same.
                        guard let caller else { return try await refuse(request, from: client) }
                        guard caller.access == .control || request.isSafe else { throw HTTPError.readOnly }
                        return try await route(request, caller)
                    }
                })
        } catch let refusal as HTTPError {
            return refusal.response
        } catch {
            log.tell(.error, "\(error)")
            return HTTPError(
                status: .internalServerError, code: "internal", message: "Swatchcam failed here; its log says how."
            ).response
        }
    }

    private func answer(
        _ request: HTTPRequest, by routes: [HTTPMethod: @Sendable (HTTPRequest) async throws -> HTTPResponse]
    ) async throws -> HTTPResponse {
        guard let route = routes[request.method == .HEAD ? .GET : request.method] else {
            let methods = routes.keys.flatMap { $0 == .GET ? ["GET", "HEAD"] : [$0.rawValue] }
            throw HTTPError.methodNotAllowed(allowed: methods.sorted())
        }
        return try await route(request)
    }

    /// A person gets a page to log in on, a program the refusal.
    private func refuse(_ request: HTTPRequest, from client: Client) async throws -> HTTPResponse {
        let refusal = access.refusal(of: request, from: client)
        let wantsPage = request.headers[HTTPHeader("Accept")]?.contains("text/html") ?? false
        guard request.isSafe && wantsPage else { throw refusal }
        return try await login(before: request, because: refusal)
    }
}

extension HTTPRequest {
    /// Whether it asks for something and changes nothing (RFC 9110, 9.2.1).
    fileprivate var isSafe: Bool { method == .GET || method == .HEAD }
}
