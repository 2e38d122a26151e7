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
    func dashboard(_ principal: Principal) async throws -> HTTPResponse {
        // The reading is taken first, so that its revisions are never newer than the documents.
        let reading = await sources.reading
        return page(
            try await pages.dashboard(
                reading, rate: sources.config.value.readings.rate,
                cameras: JSONText.data(of: cameraList(current: reading.camera)),
                controls: JSONText.data(of: sources.controls.value), settings: JSONText.data(of: settingsDocument),
                access: principal.access, canLogOut: principal.session != nil))
    }

    /// Handles `GET /kiosk[?show=picture|overlay|history]`.
    func showKiosk(_ request: HTTPRequest) async throws -> HTTPResponse {
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
        return page(
            try await pages.kiosk(await sources.reading, rate: config.readings.rate, show: show))
    }

    /// Handles `GET /measuring`.
    func showMeasuring() async throws -> HTTPResponse { page(try await pages.measuring()) }

    func page(_ text: String) -> HTTPResponse {
        HTTPResponse(content: Data(text.utf8), type: "text/html; charset=utf-8", headers: [.cacheControl: "no-store"])
    }

    /// Handles `GET /api/reading`.
    func newestReading() async -> HTTPResponse { .json(await sources.reading) }

    /// Handles `GET /api/statistics`.
    func newestStatistics() async -> HTTPResponse { .json(StatisticsDocument(await sources.reading)) }

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

    /// Returns the response with a file, or status 304 without it if the client has it already.
    private func send(_ asset: Asset, type: String, caching: String, _ request: HTTPRequest) -> HTTPResponse {
        var (content, tag) = (asset.content, asset.entityTag)
        var headers: [HTTPHeader: String] = [.cacheControl: caching]
        if let gzipped = asset.gzipped {
            headers[HTTPHeader("Vary")] = "Accept-Encoding"
            if request.acceptsGzip {
                (content, tag) = (gzipped, asset.gzippedEntityTag)
                headers[.contentEncoding] = "gzip"
            }
        }
        headers[.eTag] = tag
        // This header uses weak comparison (RFC 9110, 13.1.2).
        let known = request.headers.list(.ifNoneMatch)
        guard known.contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag }) else {
            return HTTPResponse(content: content, type: type, headers: headers)
        }
        return HTTPResponse(statusCode: .notModified, content: content, type: type, headers: headers).withoutBody
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
