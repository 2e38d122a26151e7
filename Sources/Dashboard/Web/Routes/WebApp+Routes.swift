import FlyingFox
import FoundationEssentials

/// The routes of the server.
extension WebApp {
    /// The handler of a route. It throws an `HTTPError`; any other error is a defect.
    typealias Handler = @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse
    /// The handler of a route that does not require access.
    typealias OpenHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private static let tests = "/test/"
    private static let controls = "/api/controls/"
    private static let samples = "/api/samples/"

    /// Returns the handlers of a path that does not require access, by method; nil if there is no such path.
    ///
    /// These are the health check, the login, and files that every copy of the program contains.
    /// - Parameter path: The path as it was sent, without decoding.
    func openRoutes(_ path: String, _ client: Client) -> [HTTPMethod: OpenHandler]? {
        switch path {
        case "/api/openapi.json": return [.GET: { describe($0) }]
        case "/healthz": return [.GET: { try await checkHealth($0, from: client) }]
        case "/login": return [.GET: { _ in try await showLogin() }, .POST: { try await logIn($0, from: client) }]
        case Pages.manifestPath: return [.GET: { showManifest($0) }]
        case "/logout": return [.POST: { logOut($0, from: client) }]
        default:
            guard let name = Pages.resourceName(at: path) else { return nil }
            return [.GET: { try await resource(name, $0) }]
        }
    }

    /// Returns the handlers of a path that requires access, by method; nil if there is no such path.
    func routes(_ path: String) -> [HTTPMethod: Handler]? {
        switch path {
        case "/": return [.GET: { _, principal in try await dashboard(principal) }]
        case "/api/camera": return [.POST: { request, _ in try await chooseCamera(request) }]
        case "/api/camera/toggle": return [.POST: { _, _ in try await toggleCamera() }]
        case "/api/cameras": return [.GET: { _, _ in listCameras() }]
        case "/api/config": return [.GET: { _, _ in showConfig() }]
        case "/api/controls": return [.GET: { _, _ in listControls() }]
        case "/api/controls/reset": return [.POST: { _, _ in try await resetControls() }]
        case "/api/controls/lock":
            return [.POST: { _, _ in try await lockControls() }, .DELETE: { _, _ in try await unlockControls() }]
        case "/api/difference": return [.GET: { request, _ in try compareTwoColors(request) }]
        case "/api/history": return [.GET: { request, _ in try showHistory(request) }]
        case "/api/marks": return [.POST: { request, _ in try await setMark(request) }]
        case "/api/reading": return [.GET: { _, _ in await newestReading() }]
        case "/api/samples":
            return [.GET: { _, _ in listSamples() }, .POST: { try await takeSample($0, $1) }]
        case "/api/settings":
            return [
                .GET: { _, _ in showSettings() }, .PUT: { request, _ in try await changeSettings(request) },
                .DELETE: { _, _ in forgetSettings() },
            ]
        case "/api/statistics": return [.GET: { _, _ in await newestStatistics() }]
        case "/history.csv": return [.GET: { request, _ in try await exportHistory(request) }]
        case "/kiosk": return [.GET: { request, _ in try await showKiosk(request) }]
        case "/measuring": return [.GET: { _, _ in try await showMeasuring() }]
        case "/samples.csv": return [.GET: { request, _ in try exportSamplesCSV(request) }]
        case "/samples.gpl": return [.GET: { _, _ in exportSamplesGPL() }]
        case "/samples.json": return [.GET: { _, _ in exportSamplesJSON() }]
        case "/snapshot.jpg": return [.GET: { try await takeSnapshot($0, $1) }]
        case "/stream.mjpg": return [.GET: { try streamPictures($0, $1) }]
        case "/test": return [.GET: { _, _ in try await compareColors() }]
        case "/ws": return [.GET: { try await openReadingSocket($0, $1) }]
        case "/ws/picture": return [.GET: { try await openPictureSocket($0, $1) }]
        default:
            if path.hasPrefix(Self.controls) {
                let name = path.dropFirst(Self.controls.count)
                return [.PUT: { request, _ in try await setControl(name, request) }]
            }
            if path.hasPrefix(Self.samples) {
                let id = path.dropFirst(Self.samples.count)
                return [
                    .GET: { _, _ in try showSample(id) },
                    .PATCH: { request, _ in try await renameSample(id, request) },
                    .DELETE: { _, _ in try await deleteSample(id) },
                ]
            }
            if path.hasPrefix(Self.tests) {
                let name = path.dropFirst(Self.tests.count)
                return [.GET: { _, _ in try await showColor(name) }]
            }
            return nil
        }
    }
}
