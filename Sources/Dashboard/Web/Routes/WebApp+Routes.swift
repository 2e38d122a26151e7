import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Readings
import Untrusted

/// The routes of the server.
extension WebApp {
    /// The handler of a route. It throws an `HTTPError`; any other error is a defect.
    struct Handler: Sendable {
        let respond: @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse

        init(_ respond: @escaping @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse) {
            self.respond = respond
        }

        init(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
            self.respond = { request, _ in try await respond(request) }
        }

        init(_ respond: @escaping @Sendable () async throws -> HTTPResponse) {
            self.respond = { _, _ in try await respond() }
        }
    }

    /// What a path that requires access offers.
    struct Route {
        let handlers: [HTTPMethod: Handler]
        /// The parameters that it takes in its query.
        let parameters: [String]

        init(_ handlers: [HTTPMethod: Handler], parameters: [String] = []) {
            (self.handlers, self.parameters) = (handlers, parameters)
        }
    }

    /// The handler of a route that does not require access.
    typealias OpenHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// Returns the handlers of a path that does not require access, by method; nil if there is no such path.
    ///
    /// These are the health check, the login, files that every copy of the program contains, and the metrics if
    /// `metrics.open` is set.
    /// - Parameter path: The path as it was sent, without decoding.
    func openRoutes(_ path: String, _ client: Client) -> [HTTPMethod: OpenHandler]? {
        switch path {
        case "/api/openapi.json": return [.GET: { describe($0) }]
        case "/healthz": return [.GET: { try await checkHealth($0, from: client) }]
        case "/login": return [.GET: { _ in try await showLogin() }, .POST: { try await logIn($0, from: client) }]
        case "/metrics" where shared.config.value.effective.metrics.open:
            return [.GET: { try await showMetrics($0, to: ClientKey(network: client.network, access: .view)) }]
        case Pages.manifestPath: return [.GET: { showManifest($0) }]
        case "/logout": return [.POST: { logOut($0, from: client) }]
        default:
            guard let name = Pages.resourceName(at: path) else { return nil }
            return [.GET: { try await resource(name, $0) }]
        }
    }

    /// Returns what a path that requires access offers; nil if there is no such path.
    func route(_ path: String) -> Route? {
        switch path {
        case "/": return Route([.GET: Handler(dashboard)])
        case "/absorbance": return Route([.GET: Handler { try await show(.absorbance, $0, $1) }])
        case "/api/absorbance":
            return Route([
                .GET: Handler(showAbsorbance), .PUT: Handler(changeAbsorbance), .DELETE: Handler(forgetAbsorbance),
            ])
        case "/api/absorbance/blank": return lightRoute(\.blank)
        case "/api/absorbance/dark": return lightRoute(\.dark)
        case "/api/calibration":
            return Route([
                .GET: Handler(showCalibration), .PUT: Handler(calibrate), .DELETE: Handler(removeCalibration),
            ])
        case "/api/chart": return Route([.GET: Handler(showChart), .POST: Handler(readChart)])
        case "/api/camera": return Route([.POST: Handler(chooseCamera)])
        case "/api/camera/toggle": return Route([.POST: Handler(toggleCamera)])
        case "/api/cameras": return Route([.GET: Handler(listCameras)])
        case "/api/config": return Route([.GET: Handler(showConfig)])
        case "/api/controls": return Route([.GET: Handler(listControls)])
        case "/api/controls/reset": return Route([.POST: Handler(resetControls)])
        case "/api/controls/lock": return Route([.POST: Handler(lockControls), .DELETE: Handler(unlockControls)])
        case "/api/controls/exposure":
            // Many cameras have a control of this name, too.
            return Route([
                .POST: Handler(setExposure), .DELETE: Handler(cancelExposure),
                .PUT: Handler { try await setControl("exposure", $0) },
            ])
        case "/api/counts": return Route([.GET: Handler(showCounts), .DELETE: Handler(resetCounts)])
        case "/api/difference": return Route([.GET: Handler(compareTwoColors)], parameters: ["from", "to"])
        case "/api/history": return Route([.GET: Handler(showHistory)], parameters: ["span", "points", "probes"])
        case "/api/marks": return Route([.POST: Handler(setMark)])
        case "/api/palette": return Route([.PUT: Handler(loadPalette), .DELETE: Handler(removePalette)])
        case "/api/patches": return Route([.POST: Handler(measurePatches)])
        case "/api/probes":
            return Route([.GET: Handler(listProbes), .PUT: Handler(layOutProbes), .DELETE: Handler(deleteProbes)])
        case "/api/reading": return Route([.GET: Handler(newestReading)], parameters: ["probes"])
        case "/api/recording":
            return Route([.GET: Handler(showRecording), .POST: Handler(startRecording), .DELETE: Handler(endRecording)])
        case "/api/reference": return Route([.POST: Handler(resetReference)])
        case "/api/samples": return Route([.GET: Handler(listSamples), .POST: Handler(takeSample)])
        case "/api/settings":
            return Route([.GET: Handler(showSettings), .PUT: Handler(changeSettings), .DELETE: Handler(forgetSettings)])
        case "/api/teach-in": return Route([.POST: Handler(teach)])
        case "/api/targets": return Route([.GET: Handler(listTargets)])
        case "/api/verdict": return Route([.POST: Handler(judge)])
        case "/api/statistics": return Route([.GET: Handler(newestStatistics)])
        case "/calibrate": return Route([.GET: Handler { try await show(.calibration, $0, $1) }])
        case "/fleet": return Route([.GET: Handler { try await showFleet(onKiosk: false, $0, $1) }])
        case "/history.csv":
            return Route(
                [.GET: Handler(exportHistory)],
                parameters: ["span", "recording", "separator", "decimal", "bom", "comments"])
        case "/kiosk": return Route([.GET: Handler(showKiosk)], parameters: ["show", "name", "quality"])
        case "/measuring": return Route([.GET: Handler(showMeasuring)])
        case "/metrics": return Route([.GET: Handler { try await showMetrics($0, to: $1.key) }])
        case "/samples.csv":
            return Route([.GET: Handler(exportSamplesCSV)], parameters: ["separator", "decimal", "bom"])
        case "/samples.json": return Route([.GET: Handler(exportSamplesJSON)])
        case "/snapshot.jpg": return Route([.GET: Handler(takeSnapshot)], parameters: ["view"])
        case "/stream.mjpg": return Route([.GET: Handler(streamPictures)], parameters: ["view", "fps"])
        case "/test": return Route([.GET: Handler(compareColors)])
        case "/ws": return Route([.GET: Handler(openReadingSocket)], parameters: ["probes"])
        case "/ws/fleet": return Route([.GET: Handler(openFleetSocket)])
        case "/ws/picture": return Route([.GET: Handler(openPictureSocket)], parameters: ["view"])
        default: return namedRoute(path)
        }
    }

    /// Returns what a path offers that names a thing or the format of a file.
    private func namedRoute(_ path: String) -> Route? {
        if let name = path.rest(after: "/api/absorbance/standards/") {
            return Route([
                .PUT: Handler { try await setStandard(name, $0, $1) },
                .DELETE: Handler { try await deleteStandard(name) },
            ])
        }
        if let name = path.rest(after: "/api/controls/") {
            return Route([.PUT: Handler { try await setControl(name, $0) }])
        }
        if let id = path.rest(after: "/api/marks/") {
            return Route([.DELETE: Handler { _, principal in try await deleteMark(id, principal) }])
        }
        if let name = path.rest(after: "/api/probes/") {
            return Route([
                .GET: Handler { try showProbe(name) }, .PUT: Handler { try await setProbe(name, $0) },
                .DELETE: Handler { try await deleteProbe(name) },
            ])
        }
        if let id = path.rest(after: "/api/samples/") {
            return Route([
                .GET: Handler { try showSample(id) }, .PATCH: Handler { try await renameSample(id, $0) },
                .DELETE: Handler { try await deleteSample(id) },
            ])
        }
        if let name = path.rest(after: "/api/targets/") {
            return Route([
                .GET: Handler { try showTarget(name) }, .PUT: Handler { try await setTarget(name, $0) },
                .DELETE: Handler { try await deleteTarget(name) },
            ])
        }
        if let format = path.rest(after: "/palette.").flatMap({ PaletteFormat(rawValue: String($0)) }) {
            return Route([.GET: Handler { try await exportPalette(as: format, $0, $1) }])
        }
        if let format = path.rest(after: "/samples.").flatMap({ PaletteFormat(rawValue: String($0)) }) {
            return Route([.GET: Handler { try await exportSamples(as: format, $0, $1) }])
        }
        return path.rest(after: "/test/").map { name in Route([.GET: Handler { try await showColor(name) }]) }
    }
}
