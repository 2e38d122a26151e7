import FlyingFox
import FoundationEssentials

/// The routes of the server.
extension WebApp {
    /// The handler of a route. It throws an `HTTPError`; any other error is a defect.
    typealias Handler = @Sendable (HTTPRequest, Principal) async throws -> HTTPResponse
    /// The handler of a route that does not require access.
    typealias OpenHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// Returns the parameters that a path takes in its query. Only paths that require access are asked for theirs.
    static func parameters(of path: String) -> [String] {
        switch path {
        case "/api/difference": ["from", "to"]
        case "/api/history": ["span", "points"]
        case "/history.csv": ["span", "recording", "separator", "decimal", "bom", "comments"]
        case "/kiosk": ["show", "name", "quality"]
        case "/samples.csv": ["separator", "decimal", "bom"]
        case "/snapshot.jpg", "/stream.mjpg": ["view", "fps"]
        case "/ws/picture": ["view"]
        default: []
        }
    }

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
        case "/": return [.GET: { try await dashboard($0, $1) }]
        case "/api/camera": return [.POST: { request, _ in try await chooseCamera(request) }]
        case "/api/camera/toggle": return [.POST: { _, _ in try await toggleCamera() }]
        case "/api/cameras": return [.GET: { try await listCameras($0, $1) }]
        case "/api/config": return [.GET: { try await showConfig($0, $1) }]
        case "/api/controls": return [.GET: { try await listControls($0, $1) }]
        case "/api/controls/reset": return [.POST: { _, _ in try await resetControls() }]
        case "/api/controls/lock":
            return [.POST: { _, _ in try await lockControls() }, .DELETE: { _, _ in try await unlockControls() }]
        case "/api/difference": return [.GET: { request, _ in try compareTwoColors(request) }]
        case "/api/history": return [.GET: { try await showHistory($0, $1) }]
        case "/api/marks": return [.POST: { request, _ in try await setMark(request) }]
        case "/api/reading": return [.GET: { _, _ in await newestReading() }]
        case "/api/recording":
            return [
                .GET: { _, _ in showRecording() }, .POST: { request, _ in try await startRecording(request) },
                .DELETE: { request, _ in try endRecording(request) },
            ]
        case "/api/samples":
            return [.GET: { try await listSamples($0, $1) }, .POST: { try await takeSample($0, $1) }]
        case "/api/settings":
            return [
                .GET: { _, _ in showSettings() }, .PUT: { request, _ in try await changeSettings(request) },
                .DELETE: { _, _ in forgetSettings() },
            ]
        case "/api/statistics": return [.GET: { try await newestStatistics($0, $1) }]
        case "/history.csv": return [.GET: { try await exportHistory($0, $1) }]
        case "/kiosk": return [.GET: { try await showKiosk($0, $1) }]
        case "/measuring": return [.GET: { try await showMeasuring($0, $1) }]
        case "/samples.csv": return [.GET: { try await exportSamplesCSV($0, $1) }]
        case "/samples.gpl": return [.GET: { try await exportSamplesGPL($0, $1) }]
        case "/samples.json": return [.GET: { try await exportSamplesJSON($0, $1) }]
        case "/snapshot.jpg": return [.GET: { try await takeSnapshot($0, $1) }]
        case "/stream.mjpg": return [.GET: { try streamPictures($0, $1) }]
        case "/test": return [.GET: { try await compareColors($0, $1) }]
        case "/ws": return [.GET: { try await openReadingSocket($0, $1) }]
        case "/ws/picture": return [.GET: { try await openPictureSocket($0, $1) }]
        default:
            if let name = path.rest(after: "/api/controls/") {
                return [.PUT: { request, _ in try await setControl(name, request) }]
            }
            if let id = path.rest(after: "/api/samples/") {
                return [
                    .GET: { _, _ in try showSample(id) },
                    .PATCH: { request, _ in try await renameSample(id, request) },
                    .DELETE: { _, _ in try await deleteSample(id) },
                ]
            }
            if let name = path.rest(after: "/test/") {
                return [.GET: { _, _ in try await showColor(name) }]
            }
            return nil
        }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
