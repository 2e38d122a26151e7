import Assets
import Capture
import Configuration
import FlyingFox
import Foundation
import Handoff
import Readings

/// The pages, the files that they refer to, and what the program says of itself.
extension WebApp {
    /// `GET /`.
    func dashboard(_ caller: Caller) async throws -> HTTPResponse {
        page(
            try await pages.dashboard(
                await sources.reading, rate: sources.config.value.readings.rate, access: caller.access,
                canLogOut: caller.session != nil))
    }

    /// `GET /kiosk[?show=picture]`.
    func showKiosk(_ request: HTTPRequest) async throws -> HTTPResponse {
        let config = sources.config.value
        let show: Config.Kiosk.Show
        if let name = request.parameter("show") {
            guard let known = Config.Kiosk.Show(rawValue: name) else {
                throw HTTPError(
                    status: .badRequest, code: "bad-show", message: "A kiosk shows color, or picture, which has both.")
            }
            show = known
        } else {
            show = config.kiosk.show
        }
        return page(
            try await pages.kiosk(await sources.reading, rate: config.readings.rate, showsPicture: show == .picture))
    }

    func page(_ text: String) -> HTTPResponse {
        HTTPResponse(content: Data(text.utf8), type: "text/html; charset=utf-8", headers: [.cacheControl: "no-store"])
    }

    /// `GET /api/reading`.
    func newestReading() async -> HTTPResponse { .json(await sources.reading) }

    /// `GET /healthz`. Strangers are not told what the reason is: it may name a camera, or a process.
    func checkHealth(_ request: HTTPRequest, from client: Client) async throws(HTTPError) -> HTTPResponse {
        let reading = await sources.reading
        let health = Health(rate: sources.config.value.readings.rate, framePeriod: sources.demand.framePeriod)
        if var problem = health.problem(with: reading, at: .now) {
            if access.caller(of: request, from: client) == nil {
                problem.message = "There is no live colour. With the token, /api/reading says why."
            }
            throw problem
        }
        // The number of viewers is only for clients that may view, too.
        guard access.caller(of: request, from: client) != nil else { return .json(HealthDocument()) }
        let counters = sources.pictures.counters
        return .json(
            HealthDocument(
                pictures: .init(encoded: counters.encoded, passedOn: counters.passedOn, viewers: counters.viewers)))
    }

    /// `GET /api/openapi.json`: the description of the API, the same of every copy of the program.
    func describe(_ request: HTTPRequest) -> HTTPResponse {
        send(Self.description, type: "application/json", caching: "no-cache", request)
    }

    private static let description = Asset(content: Assets.files["docs/openapi.json"] ?? Data())

    /// `GET /resources/...`.
    func resource(_ name: Pages.ResourceName, _ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard let asset = await pages.resource(name) else { throw HTTPError.notFound }
        let caching = name.isLasting ? "public, max-age=31536000, immutable" : "no-cache"
        return send(asset, type: ContentType.of(name.path), caching: caching, request)
    }

    /// A file, or that the client has it already.
    private func send(_ asset: Asset, type: String, caching: String, _ request: HTTPRequest) -> HTTPResponse {
        let headers: [HTTPHeader: String] = [.eTag: asset.entityTag, .cacheControl: caching]
        // A weak tag matches too when all that is asked is whether the file changed (RFC 9110, 13.1.2).
        let known = request.headers.list(.ifNoneMatch)
        guard known.contains(where: { $0 == "*" || $0 == asset.entityTag || $0 == "W/" + asset.entityTag }) else {
            return HTTPResponse(content: asset.content, type: type, headers: headers)
        }
        return HTTPResponse(statusCode: .notModified, content: asset.content, type: type, headers: headers).withoutBody
    }
}

/// The document of `GET /healthz` while readings are fresh.
private struct HealthDocument: Encodable {
    struct Pictures: Encodable {
        var encoded: UInt64
        var passedOn: UInt64
        var viewers: Int
    }

    /// nil for clients without access, in which case the key is omitted.
    var pictures: Pictures?
    var status = "ok"
}
