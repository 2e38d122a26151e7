import Assets
import Color
import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The pages and their resources.
struct PageRoutes: Sendable {
    /// The colours that `/test/{color}` knows by a name.
    private static let names: [Substring: RGB8] = [
        "red": RGB8(r: 255, g: 0, b: 0), "green": RGB8(r: 0, g: 255, b: 0), "blue": RGB8(r: 0, g: 0, b: 255),
        "white": .white, "black": .black,
    ]

    let shared: SharedState
    let pages: Pages
    let documents: DocumentSender

    var routes: [Route] {
        [
            Route(.GET, "/", nil, showDashboard),
            Route(.GET, "/absorbance", nil) { try await show(.absorbance, $0) },
            Route(.GET, "/calibrate", nil) { try await show(.calibration, $0) },
            Route(.GET, "/elsewhere", nil, showAddresses),
            Route(.GET, "/fleet", nil) { try await showFleet(onKiosk: false, $0) },
            Route(.GET, "/kiosk", parameters: ["show", "name", "quality"].map { Parameter($0) }, nil, showKiosk),
            Route(.GET, "/measuring", nil) {
                try await documents.send(page("/measuring", "") { try pages.measuring() }, to: $0)
            },
            Route(.GET, "/test", nil) {
                try await documents.send(page("/test", "") { try pages.comparison() }, to: $0)
            },
            Route(.GET, "/test/{color}", nil, showColor),
            Route(.GET, Pages.manifestPath, right: .open, nil) {
                .file(pages.manifest, type: ContentType.of(Pages.manifestPath), caching: "no-cache", $0.request)
            },
            Route(.GET, "/resources/{path}", right: .open, nil, showResource),
        ]
    }

    private func showDashboard(_ call: Call) async throws -> HTTPResponse {
        let (access, canLogOut) = (call.principal.access, call.principal.session != nil)
        return try await documents.send("/ \(access) \(canLogOut)", to: call) { key in
            // The reading is taken first, so that its revisions are never newer than the documents.
            let reading = await shared.reading
            let version =
                "\(reading.sequence) \(shared.config.revision) \(shared.directory.nodes.revision) "
                + "\(shared.controls.revision) \(shared.settingsMemory.problem ?? "")"
            return await page(key, version) {
                try pages.dashboard(
                    reading, cameras: JSONWriter.data(CameraList(shared, current: reading.camera, reading.faults)),
                    controls: JSONWriter.data(shared.controls.value),
                    settings: JSONWriter.data(SettingsDocument(shared)),
                    access: access, canLogOut: canLogOut, hasFleet: shared.config.value.effective.mqtt.host != nil)
            }
        }
    }

    private func showAddresses(_ call: Call) async throws -> HTTPResponse {
        let settings = shared.config.value
        let web = settings.effective.web
        let addresses = PageAddresses(web, host: call.request.headers[.host], client: call.client)
        await pages.refresh()
        let isAdmitted = call.client.isAdmitted
        return .page(
            try pages.elsewhere(
                addresses.all, future: addresses.future, listensOn: web.address,
                needsToken: web.token != nil && !isAdmitted, isAdmitted: isAdmitted, file: settings.path))
    }

    private func showKiosk(_ call: Call) async throws -> HTTPResponse {
        let config = shared.config.value.effective
        let refusal = HTTPError.badRequest(
            code: "bad-show", "show must be color, picture, overlay, history, verdict or fleet.")
        let show =
            try call.request.parameter("show", orRefuse: refusal, Config.Kiosk.Show.init(rawValue:))
            ?? config.kiosk.show
        let (name, quality) = (try isShown("name", by: call.request), try isShown("quality", by: call.request))
        if show == .fleet { return try await showFleet(onKiosk: true, call) }
        return try await documents.send("/kiosk \(show) \(name) \(quality)", to: call) {
            let reading = await shared.reading
            return await page($0, "\(reading.sequence)") {
                try pages.kiosk(reading, show: show, showsName: name, showsQuality: quality)
            }
        }
    }

    /// Returns whether the address of the kiosk names a further part, as in `?name` or `?name=1`.
    private func isShown(_ part: String, by request: HTTPRequest) throws(HTTPError) -> Bool {
        let refusal = HTTPError.badRequest(code: "bad-show", "\(part) must be 0 or 1.")
        return try request.parameter(part, orRefuse: refusal) { ["": true, "1": true, "0": false][$0] } ?? false
    }

    private func showFleet(onKiosk: Bool, _ call: Call) async throws -> HTTPResponse {
        try await documents.send(page("/fleet \(onKiosk)", "") { try pages.fleet(onKiosk: onKiosk) }, to: call)
    }

    private func show(_ tool: Pages.Tool, _ call: Call) async throws -> HTTPResponse {
        try await documents.send("/\(tool) \(call.principal.access)", to: call) {
            // The reading is taken first, so that its revisions are never newer than the settings.
            let reading = await shared.reading
            let version = "\(reading.sequence) \(shared.config.revision) \(shared.settingsMemory.problem ?? "")"
            return await page($0, version) {
                try pages.tool(
                    tool, reading, settings: JSONWriter.data(SettingsDocument(shared)), access: call.principal.access)
            }
        }
    }

    /// Shows a test colour: `red`, `green`, `blue`, `white`, `black`, or six hexadecimal digits.
    private func showColor(_ call: Call) async throws -> HTTPResponse {
        guard let color = Self.names[call.name] ?? RGB8(hex: call.name) else {
            throw HTTPError.notFound(
                code: "no-such-color",
                "The colours are red, green, blue, white, black and six hexadecimal digits, such as /test/3fa7d6.")
        }
        await pages.refresh()
        return .page(try pages.solid(color))
    }

    private func showResource(_ call: Call) async throws(HTTPError) -> HTTPResponse {
        guard let name = Pages.resourceName(at: call.request.target.path()), let asset = await pages.resource(name)
        else { throw HTTPError.notFound }
        let caching = name.isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        return .file(asset, type: ContentType.of(name.path), caching: caching, call.request)
    }

    /// Returns the response with a page that is larger than a reading. It may be compressed because pages contain no
    /// secrets.
    /// - Parameter version: The version of what the page shows.
    private func page(
        _ key: String, _ version: String, _ render: @escaping @Sendable () throws -> String
    ) async -> Document {
        Document(
            key: key, version: "\(await pages.refresh()) \(pages.siteName) \(version)",
            type: "text/html; charset=utf-8",
            isCompressible: true
        ) { Data(try render().utf8) }
    }
}
