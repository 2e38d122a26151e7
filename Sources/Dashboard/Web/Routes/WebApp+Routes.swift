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
    typealias Handler = @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse
    /// What a path that requires access offers.
    struct Route {
        /// The parameters that it takes in its query.
        let parameters: [String]
        let handlers: [HTTPMethod: Handler]

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
        case "/": return Route([.GET: { try await dashboard($0, $1) }])
        case "/absorbance": return Route([.GET: { try await showAbsorbancePage($0, $1) }])
        case "/api/absorbance":
            return Route([
                .GET: { _, _ in await showAbsorbance() }, .PUT: { request, _ in try await changeAbsorbance(request) },
                .DELETE: { _, _ in await forgetAbsorbance() },
            ])
        case "/api/absorbance/blank": return lightRoute(\.blank)
        case "/api/absorbance/dark": return lightRoute(\.dark)
        case "/api/calibration":
            return Route([
                .GET: { _, _ in await showCalibration() },
                .PUT: { request, _ in try await calibrate(request) },
                .DELETE: { _, _ in try await removeCalibration() },
            ])
        case "/api/chart":
            return Route([
                .GET: { _, _ in showChart() }, .POST: { request, _ in try await readChart(request) },
            ])
        case "/api/camera": return Route([.POST: { request, _ in try await chooseCamera(request) }])
        case "/api/camera/toggle": return Route([.POST: { _, _ in try await toggleCamera() }])
        case "/api/cameras": return Route([.GET: { try await listCameras($0, $1) }])
        case "/api/config": return Route([.GET: { try await showConfig($0, $1) }])
        case "/api/controls": return Route([.GET: { try await listControls($0, $1) }])
        case "/api/controls/reset": return Route([.POST: { _, _ in try await resetControls() }])
        case "/api/controls/lock":
            return Route([.POST: { _, _ in try await lockControls() }, .DELETE: { _, _ in try await unlockControls() }])
        case "/api/controls/exposure":
            // Many cameras have a control of this name, too.
            return Route([
                .POST: { _, _ in try await setExposure() }, .DELETE: { _, _ in try await cancelExposure() },
                .PUT: { request, _ in try await setControl("exposure", request) },
            ])
        case "/api/counts":
            return Route([.GET: { _, _ in showCounts() }, .DELETE: { _, _ in resetCounts() }])
        case "/api/difference":
            return Route([.GET: { request, _ in try compareTwoColors(request) }], parameters: ["from", "to"])
        case "/api/history":
            return Route([.GET: { try await showHistory($0, $1) }], parameters: ["span", "points", "probes"])
        case "/api/marks": return Route([.POST: { try await setMark($0, $1) }])
        case "/api/palette":
            return Route([
                .PUT: { request, _ in try await loadPalette(request) }, .DELETE: { _, _ in try await removePalette() },
            ])
        case "/api/patches": return Route([.POST: { try await measurePatches($0, $1) }])
        case "/api/probes":
            return Route([
                .GET: { _, _ in listProbes() }, .PUT: { request, _ in try await layOutProbes(request) },
                .DELETE: { _, _ in deleteProbes() },
            ])
        case "/api/reading":
            return Route([.GET: { request, _ in try await newestReading(request) }], parameters: ["probes"])
        case "/api/recording":
            return Route([
                .GET: { _, _ in showRecording() }, .POST: { request, _ in try await startRecording(request) },
                .DELETE: { request, _ in try endRecording(request) },
            ])
        case "/api/reference": return Route([.POST: { _, _ in try resetReference() }])
        case "/api/samples":
            return Route([.GET: { try await listSamples($0, $1) }, .POST: { try await takeSample($0, $1) }])
        case "/api/settings":
            return Route([
                .GET: { _, _ in showSettings() }, .PUT: { request, _ in try await changeSettings(request) },
                .DELETE: { _, _ in forgetSettings() },
            ])
        case "/api/teach-in": return Route([.POST: { request, _ in try await teach(request) }])
        case "/api/targets": return Route([.GET: { _, _ in listTargets() }])
        case "/api/verdict": return Route([.POST: { try await judge($0, $1) }])
        case "/api/statistics": return Route([.GET: { try await newestStatistics($0, $1) }])
        case "/calibrate": return Route([.GET: { try await showCalibrationPage($0, $1) }])
        case "/fleet": return Route([.GET: { try await showFleet(onKiosk: false, $0, $1) }])
        case "/history.csv":
            return Route(
                [.GET: { try await exportHistory($0, $1) }],
                parameters: ["span", "recording", "separator", "decimal", "bom", "comments"])
        case "/kiosk": return Route([.GET: { try await showKiosk($0, $1) }], parameters: ["show", "name", "quality"])
        case "/measuring": return Route([.GET: { try await showMeasuring($0, $1) }])
        case "/metrics": return Route([.GET: { try await showMetrics($0, to: $1.key) }])
        case "/palette.aco": return Route([.GET: { try await exportPalette(as: .adobeColor, $0, $1) }])
        case "/palette.ase": return Route([.GET: { try await exportPalette(as: .adobeSwatchExchange, $0, $1) }])
        case "/palette.gpl": return Route([.GET: { try await exportPalette(as: .gimp, $0, $1) }])
        case "/palette.txt": return Route([.GET: { try await exportPalette(as: .measurementTable, $0, $1) }])
        case "/samples.aco": return Route([.GET: { try await exportSamples(as: .adobeColor, $0, $1) }])
        case "/samples.ase": return Route([.GET: { try await exportSamples(as: .adobeSwatchExchange, $0, $1) }])
        case "/samples.csv":
            return Route([.GET: { try await exportSamplesCSV($0, $1) }], parameters: ["separator", "decimal", "bom"])
        case "/samples.gpl": return Route([.GET: { try await exportSamples(as: .gimp, $0, $1) }])
        case "/samples.json": return Route([.GET: { try await exportSamplesJSON($0, $1) }])
        case "/samples.txt": return Route([.GET: { try await exportSamples(as: .measurementTable, $0, $1) }])
        case "/snapshot.jpg": return Route([.GET: { try await takeSnapshot($0, $1) }], parameters: ["view"])
        case "/stream.mjpg": return Route([.GET: { try streamPictures($0, $1) }], parameters: ["view", "fps"])
        case "/test": return Route([.GET: { try await compareColors($0, $1) }])
        case "/ws": return Route([.GET: { try await openReadingSocket($0, $1) }], parameters: ["probes"])
        case "/ws/fleet": return Route([.GET: { try await openFleetSocket($0, $1) }])
        case "/ws/picture": return Route([.GET: { try await openPictureSocket($0, $1) }], parameters: ["view"])
        default:
            if let name = path.rest(after: "/api/absorbance/standards/") {
                return Route([
                    .PUT: { try await setStandard(name, $0, $1) }, .DELETE: { _, _ in try deleteStandard(name) },
                ])
            }
            if let name = path.rest(after: "/api/controls/") {
                return Route([.PUT: { request, _ in try await setControl(name, request) }])
            }
            if let id = path.rest(after: "/api/marks/") {
                return Route([.DELETE: { _, principal in try await deleteMark(id, principal) }])
            }
            if let name = path.rest(after: "/api/probes/") {
                return Route([
                    .GET: { _, _ in try showProbe(name) },
                    .PUT: { request, _ in try await setProbe(name, request) },
                    .DELETE: { _, _ in try deleteProbe(name) },
                ])
            }
            if let id = path.rest(after: "/api/samples/") {
                return Route([
                    .GET: { _, _ in try showSample(id) },
                    .PATCH: { request, _ in try await renameSample(id, request) },
                    .DELETE: { _, _ in try await deleteSample(id) },
                ])
            }
            if let name = path.rest(after: "/api/targets/") {
                return Route([
                    .GET: { _, _ in try showTarget(name) },
                    .PUT: { request, _ in try await setTarget(name, request) },
                    .DELETE: { _, _ in try deleteTarget(name) },
                ])
            }
            if let name = path.rest(after: "/test/") {
                return Route([.GET: { _, _ in try await showColor(name) }])
            }
            return nil
        }
    }
}
