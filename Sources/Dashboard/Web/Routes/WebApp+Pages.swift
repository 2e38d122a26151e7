import Assets
import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted

/// The pages and their resources, the newest reading, the health check and the description of the API.
extension WebApp {
    /// Handles `GET /`.
    func dashboard(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        // The reading is taken first, so that its revisions are never newer than the documents.
        let reading = await sources.reading
        let (access, canLogOut) = (principal.access, principal.session != nil)
        let version =
            "\(reading.sequence) \(sources.config.revision) \(sources.directory.nodes.revision) "
            + "\(sources.controls.revision) \(sources.settings.revision)"
        return try await page("/ \(access) \(canLogOut)", version, request, principal) {
            try pages.dashboard(
                reading, rate: sources.config.value.readings.rate,
                cameras: JSONText.data(of: cameraList(current: reading.camera)),
                controls: JSONText.data(of: sources.controls.value), settings: JSONText.data(of: settingsDocument),
                access: access, canLogOut: canLogOut)
        }
    }

    /// Handles `GET /kiosk[?show=picture|overlay|history]`.
    func showKiosk(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let config = sources.config.value
        let show: Config.Kiosk.Show
        if let name = request.parameter("show") {
            guard let known = Config.Kiosk.Show(rawValue: name) else {
                throw HTTPError(
                    status: .badRequest, code: "bad-show",
                    message: "show must be color, picture, overlay or history.")
            }
            show = known
        } else {
            show = config.kiosk.show
        }
        let reading = await sources.reading
        let version = "\(reading.sequence) \(config.readings.rate)"
        return try await page("/kiosk \(show)", version, request, principal) {
            try pages.kiosk(reading, rate: config.readings.rate, show: show)
        }
    }

    /// Handles `GET /measuring`.
    func showMeasuring(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await page("/measuring", "", request, principal) { try pages.measuring() }
    }

    /// Returns the response with a page that is larger than a reading. It may be compressed because pages contain no
    /// secrets.
    /// - Parameters:
    ///   - version: The version of what the page shows.
    ///   - render: Renders the page.
    func page(
        _ key: String, _ version: String, _ request: HTTPRequest, _ principal: Principal,
        _ render: @escaping @Sendable () throws -> String
    ) async throws -> HTTPResponse {
        let document = Document(
            key: key, version: "\(await pages.refresh()) \(version)", type: "text/html; charset=utf-8",
            isCompressible: true
        ) { Data(try render().utf8) }
        return try await send(document, to: principal.key, request)
    }

    /// Returns the response with a small page.
    func page(_ text: String) -> HTTPResponse {
        HTTPResponse(content: Data(text.utf8), type: "text/html; charset=utf-8", headers: [.cacheControl: "no-store"])
    }

    /// Handles `GET /api/reading`.
    func newestReading() async -> HTTPResponse { .json(await sources.reading) }

    /// Handles `GET /api/statistics`.
    func newestStatistics(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let reading = await sources.reading
        let document = Document(key: "/api/statistics", version: "\(reading.sequence)") {
            JSONText.data(of: StatisticsDocument(reading))
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `GET /healthz`. Clients without access do not get the reason, which may name a camera or a process.
    func checkHealth(_ request: HTTPRequest, from client: Client) async throws(HTTPError) -> HTTPResponse {
        let reading = await sources.reading
        let check = HealthCheck(rate: sources.config.value.readings.rate, framePeriod: sources.demand.framePeriod)
        if var problem = check.problem(with: reading, at: .now) {
            if access.principal(of: request, from: client) == nil {
                problem.message = "There is no live colour. With a token, /api/reading shows why."
            }
            throw problem
        }
        // The counters of pictures, too, are only for clients with access.
        guard access.principal(of: request, from: client) != nil else { return .json(HealthDocument()) }
        let counters = sources.pictures.counters
        return .json(
            HealthDocument(
                pictures: .init(encoded: counters.encoded, passedOn: counters.passedOn, viewers: counters.viewers)))
    }

    /// Handles `GET /api/openapi.json`, the description of the API.
    func describe(_ request: HTTPRequest) -> HTTPResponse {
        send(Self.description, type: "application/json", caching: "no-cache", request)
    }

    /// Handles `GET /manifest.webmanifest`.
    func showManifest(_ request: HTTPRequest) -> HTTPResponse {
        send(pages.manifest, type: ContentType.of(Pages.manifestPath), caching: "no-cache", request)
    }

    private static let description = Asset(
        content: Assets.files["docs/openapi.json"] ?? Data(), isCompressible: true)

    /// Handles `GET /resources/...`.
    func resource(_ name: Pages.ResourceName, _ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard let asset = await pages.resource(name) else { throw HTTPError.notFound }
        let caching = name.isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        return send(asset, type: ContentType.of(name.path), caching: caching, request)
    }
}

/// The document of `GET /healthz` while readings are fresh.
private struct HealthDocument: Encodable {
    struct Pictures: Encodable {
        var encoded: UInt64
        var passedOn: UInt64
        var viewers: Int
    }

    /// The counters of pictures; omitted for clients without access.
    var pictures: Pictures?
    var status = "ok"
}
