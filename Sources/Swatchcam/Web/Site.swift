import FlyingFox
import Foundation
import Logging

/// Everything that is served: the guard, the tokens, the routes, and the headers that all answers carry.
///
/// The routes are ours because FlyingFox answers a wrong method with 404, and decodes paths.
struct Site: HTTPHandler {
    /// A route's answer; what it throws is a `Refusal`, or a defect.
    private typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private static let tests = "/test/"
    private static let controls = "/api/controls/"

    private let gate: RequestGuard
    let access: AccessControl
    private let embedders: [String]
    let sources: WebSources
    let pages: Pages
    private let hub: Hub
    private let connections: Connections
    let patience: Duration
    private let log: LimitedLog

    /// - Parameter patience: How long a route waits for the camera: FlyingFox wants an answer in time.
    init(
        sources: WebSources, pages: Pages, hub: Hub, connections: Connections = Connections(),
        patience: Duration = .milliseconds(1800), log: Logger
    ) {
        let web = sources.config.value.web
        gate = RequestGuard(web)
        access = AccessControl(web, log: log)
        embedders = web.embedders
        self.sources = sources
        self.pages = pages
        self.hub = hub
        self.connections = connections
        self.patience = patience
        self.log = LimitedLog(log)
    }

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        if let peer = Peer(request.remoteAddress) { connections.served(peer) }
        let response = await answer(request)
        return (request.method == .HEAD ? response.withoutBody : response).secured(embedders: embedders)
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        if let refusal = gate.refusal(of: request) { return refusal.response }
        let path = request.target.path()
        let open = openRoutes(path)
        let routes = open.isEmpty ? routes(path) : open
        guard !routes.isEmpty else { return Refusal.notFound.response }
        guard let answer = routes[request.method == .HEAD ? .GET : request.method] else {
            let methods = routes.keys.flatMap { $0 == .GET ? ["GET", "HEAD"] : [$0.rawValue] }
            return Refusal.methodNotAllowed(allowed: methods.sorted()).response
        }
        do {
            if open.isEmpty, let refusal = refusalOfAccess(request) { return try response(to: request, of: refusal) }
            return try await answer(request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch {
            log.tell(.error, "\(error)")
            return Refusal(
                status: .internalServerError, code: "internal", message: "Swatchcam failed here; its log says how."
            ).response
        }
    }

    /// What needs no token: how the program is, the way in, and the files that every copy of the program has.
    /// - Parameter path: as it was sent, never decoded.
    private func openRoutes(_ path: String) -> [HTTPMethod: Answer] {
        switch path {
        case "/healthz": return [.GET: { _ in try await checkHealth() }]
        case "/login": return [.GET: { _ in try showLogin() }, .POST: { try await logIn($0) }]
        case "/logout": return [.POST: { _ in logOut() }]
        default:
            guard let name = Pages.resourceName(at: path) else { return [:] }
            return [.GET: { try resource(name, $0) }]
        }
    }

    private func refusalOfAccess(_ request: HTTPRequest) -> Refusal? {
        do throws(Refusal) {
            let access = try access.access(of: request)
            return access == .view && request.method != .GET && request.method != .HEAD ? .readOnly : nil
        } catch {
            return error
        }
    }

    /// A person gets a page to log in on, a program the refusal.
    private func response(to request: HTTPRequest, of refusal: Refusal) throws(PagesError) -> HTTPResponse {
        let wantsPage = request.headers[HTTPHeader("Accept")]?.contains("text/html") ?? false
        let isPage = (request.method == .GET || request.method == .HEAD) && wantsPage
        return isPage ? try login(before: request, because: refusal) : refusal.response
    }

    /// What there is at a path, by method; none if there is nothing.
    private func routes(_ path: String) -> [HTTPMethod: Answer] {
        switch path {
        case "/": return [.GET: { try await dashboard($0) }]
        case "/api/camera": return [.POST: { try await chooseCamera($0) }]
        case "/api/camera/toggle": return [.POST: { _ in try await toggleCamera() }]
        case "/api/cameras": return [.GET: { _ in listCameras() }]
        case "/api/config": return [.GET: { _ in showConfig() }]
        case "/api/controls": return [.GET: { _ in listControls() }]
        case "/api/controls/reset": return [.POST: { _ in try await resetControls() }]
        case "/api/lock":
            return [.POST: { _ in try await lockControls() }, .DELETE: { _ in try await unlockControls() }]
        case "/api/reading": return [.GET: { _ in await newestReading() }]
        case "/api/settings": return [.GET: { _ in showSettings() }, .PUT: { try await changeSettings($0) }]
        case "/kiosk": return [.GET: { try await showKiosk($0) }]
        case "/snapshot.jpg": return [.GET: { try await takeSnapshot($0) }]
        case "/stream.mjpg": return [.GET: { try streamPictures($0) }]
        case "/test": return [.GET: { _ in try compareColors() }]
        case "/ws": return [.GET: { try await openSocket($0) }]
        default:
            if path.hasPrefix(Self.controls) {
                return [.PUT: { try await setControl(path.dropFirst(Self.controls.count), $0) }]
            }
            if path.hasPrefix(Self.tests) { return [.GET: { _ in try showColor(path.dropFirst(Self.tests.count)) }] }
            return [:]
        }
    }

    private func dashboard(_ request: HTTPRequest) async throws -> HTTPResponse {
        page(
            try pages.dashboard(
                await sources.reading, rate: sources.config.value.readings.rate,
                access: try access.access(of: request), canLogOut: access.isNeeded))
    }

    private func showKiosk(_ request: HTTPRequest) async throws -> HTTPResponse {
        let config = sources.config.value
        let show: Config.Kiosk.Show
        if let name = request.parameter("show") {
            guard let known = Config.Kiosk.Show(rawValue: name) else {
                throw Refusal(
                    status: .badRequest, code: "bad-show", message: "A kiosk shows color, or picture, which has both.")
            }
            show = known
        } else {
            show = config.kiosk.show
        }
        return page(
            try pages.kiosk(await sources.reading, rate: config.readings.rate, showsPicture: show == .picture))
    }

    func page(_ text: String) -> HTTPResponse {
        HTTPResponse(content: Data(text.utf8), type: "text/html; charset=utf-8", headers: [.cacheControl: "no-store"])
    }

    private func newestReading() async -> HTTPResponse {
        HTTPResponse(
            content: await sources.reading.json(), type: "application/json", headers: [.cacheControl: "no-store"])
    }

    private func checkHealth() async throws(Refusal) -> HTTPResponse {
        let health = Health(rate: sources.config.value.readings.rate)
        if let problem = health.problem(with: await sources.reading, at: .now) { throw problem }
        let pictures = sources.pictures.counters
        let text = """
            {"pictures":{"encoded":\(pictures.encoded),"passedOn":\(pictures.passedOn),"viewers":\(pictures.viewers)},\
            "status":"ok"}
            """
        return HTTPResponse(
            content: Data(text.utf8), type: "application/json", headers: [.cacheControl: "no-store"])
    }

    private func resource(_ name: Pages.ResourceName, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        guard let asset = pages.resource(name) else { throw Refusal.notFound }
        let caching = name.isLasting ? "public, max-age=31536000, immutable" : "no-cache"
        let headers: [HTTPHeader: String] = [.eTag: asset.entityTag, .cacheControl: caching]
        let known = request.headers[.ifNoneMatch]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        // A weak tag matches too when all that is asked is whether the file changed (RFC 9110, 13.1.2).
        guard let known, known.contains(where: { $0 == "*" || $0 == asset.entityTag || $0 == "W/" + asset.entityTag })
        else {
            return HTTPResponse(content: asset.content, type: ContentType.of(name.path), headers: headers)
        }
        return HTTPResponse(
            statusCode: .notModified, content: asset.content, type: ContentType.of(name.path), headers: headers
        )
        .withoutBody
    }

    private func openSocket(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .GET, request.headers[.upgrade]?.lowercased() == "websocket" else {
            var response = Refusal(
                status: .upgradeRequired, code: "websocket-only", message: "This address speaks WebSocket only."
            ).response
            response.headers[.upgrade] = "websocket"
            response.headers[.connection] = "upgrade"
            return response
        }
        guard let subscription = hub.join() else {
            throw Refusal(
                status: .serviceUnavailable, code: "too-many-clients",
                message: "There are too many WebSockets open, or Swatchcam is stopping. Try again later.",
                closesConnection: true)
        }
        let socket = ReadingSocketHandler(subscription: subscription)
        let response = try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        guard response.statusCode == .switchingProtocols else {
            throw Refusal(
                status: .badRequest, code: "bad-handshake",
                message:
                    "This is no WebSocket handshake: it needs Connection: upgrade, a Sec-WebSocket-Key and version 13.")
        }
        if let peer = Peer(request.remoteAddress) {
            connections.opened(peer)
            subscription.mailbox.attach { [connections] in connections.file(of: peer).map(DirectSocket.init) }
        }
        return response
    }
}
