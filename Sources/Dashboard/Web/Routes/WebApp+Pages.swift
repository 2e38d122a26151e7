import Assets
import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted

/// The pages and their resources.
extension WebApp {
    func dashboard(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        // The reading is taken first, so that its revisions are never newer than the documents.
        let reading = await shared.reading
        let (access, canLogOut) = (principal.access, principal.session != nil)
        let version =
            "\(reading.sequence) \(shared.config.revision) \(shared.directory.nodes.revision) "
            + "\(shared.controls.revision) \(shared.settingsMemory.problem ?? "")"
        return try await page("/ \(access) \(canLogOut)", version, request, principal) {
            try pages.dashboard(
                reading, rate: shared.config.value.effective.readings.rate,
                cameras: JSONText.data(of: cameraList(current: reading.camera, faults: reading.faults)),
                controls: JSONText.data(of: shared.controls.value), settings: JSONText.data(of: settingsDocument),
                access: access, canLogOut: canLogOut, hasFleet: shared.config.value.effective.mqtt.host != nil)
        }
    }

    /// Handles `GET /kiosk[?show=picture|overlay|history|verdict][&name][&quality]`.
    func showKiosk(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let config = shared.config.value.effective
        guard let show = request.parameter("show").map(Config.Kiosk.Show.init(rawValue:)) ?? config.kiosk.show else {
            throw HTTPError.badRequest(
                code: "bad-show", "show must be color, picture, overlay, history, verdict or fleet.")
        }
        let (name, quality) = (try isShown("name", by: request), try isShown("quality", by: request))
        if show == .fleet { return try await showFleet(onKiosk: true, request, principal) }
        let reading = await shared.reading
        let version = "\(reading.sequence) \(config.readings.rate)"
        return try await page("/kiosk \(show) \(name) \(quality)", version, request, principal) {
            try pages.kiosk(
                reading, rate: config.readings.rate, show: show, showsName: name, showsQuality: quality)
        }
    }

    /// Returns whether the address of the kiosk names a further part, as in `?name` or `?name=1`.
    private func isShown(_ part: String, by request: HTTPRequest) throws(HTTPError) -> Bool {
        switch request.parameter(part) {
        case "", "1": return true
        case nil, "0": return false
        default: throw HTTPError.badRequest(code: "bad-show", "\(part) must be 0 or 1.")
        }
    }

    func showFleet(onKiosk: Bool, _ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await page("/fleet \(onKiosk)", "", request, principal) { try pages.fleet(onKiosk: onKiosk) }
    }

    func show(_ tool: Pages.Tool, _ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await page("/\(tool) \(principal.access)", "", request, principal) {
            try pages.tool(tool, access: principal.access)
        }
    }

    func showMeasuring(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await page("/measuring", "", request, principal) { try pages.measuring() }
    }

    /// Returns the response with a page that is larger than a reading. It may be compressed because pages contain no
    /// secrets.
    /// - Parameter version: The version of what the page shows.
    func page(
        _ key: String, _ version: String, _ request: HTTPRequest, _ principal: Principal,
        _ render: @escaping @Sendable () throws -> String
    ) async throws -> HTTPResponse {
        let document = Document(
            key: key, version: "\(await pages.refresh()) \(pages.siteName) \(version)",
            type: "text/html; charset=utf-8",
            isCompressible: true
        ) { Data(try render().utf8) }
        return try await send(document, to: principal.key, request)
    }

    /// Returns the response with a small page.
    /// - Parameter error: The error that the page explains, whose status and headers the response has.
    func page(_ text: String, explaining error: HTTPError? = nil) -> HTTPResponse {
        HTTPResponse(
            statusCode: error?.status ?? .ok, content: Data(text.utf8), type: "text/html; charset=utf-8",
            headers: [.cacheControl: "no-store"].merging(error?.headers ?? [:]) { $1 })
    }

    func showManifest(_ request: HTTPRequest) -> HTTPResponse {
        send(pages.manifest, type: ContentType.of(Pages.manifestPath), caching: "no-cache", request)
    }

    func resource(_ name: Pages.ResourceName, _ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard let asset = await pages.resource(name) else { throw HTTPError.notFound }
        let caching = name.isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        return send(asset, type: ContentType.of(name.path), caching: caching, request)
    }
}
