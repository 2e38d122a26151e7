import FlyingFox
import FoundationEssentials

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

    /// Returns what a path that requires access offers; nil if there is no such path.
    func route(_ path: String) -> Route? {
        switch path {
        case "/": return Route([.GET: { try await dashboard($0, $1) }])
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
        case "/api/difference":
            return Route([.GET: { request, _ in try compareTwoColors(request) }], parameters: ["from", "to"])
        case "/api/history": return Route([.GET: { try await showHistory($0, $1) }], parameters: ["span", "points"])
        case "/api/marks": return Route([.POST: { try await setMark($0, $1) }])
        case "/api/palette":
            return Route([
                .PUT: { request, _ in try await loadPalette(request) }, .DELETE: { _, _ in try await removePalette() },
            ])
        case "/api/reading": return Route([.GET: { _, _ in await newestReading() }])
        case "/api/recording":
            return Route([
                .GET: { _, _ in showRecording() }, .POST: { request, _ in try await startRecording(request) },
                .DELETE: { request, _ in try endRecording(request) },
            ])
        case "/api/samples":
            return Route([.GET: { try await listSamples($0, $1) }, .POST: { try await takeSample($0, $1) }])
        case "/api/settings":
            return Route([
                .GET: { _, _ in showSettings() }, .PUT: { request, _ in try await changeSettings(request) },
                .DELETE: { _, _ in forgetSettings() },
            ])
        case "/api/statistics": return Route([.GET: { try await newestStatistics($0, $1) }])
        case "/history.csv":
            return Route(
                [.GET: { try await exportHistory($0, $1) }],
                parameters: ["span", "recording", "separator", "decimal", "bom", "comments"])
        case "/kiosk": return Route([.GET: { try await showKiosk($0, $1) }], parameters: ["show", "name", "quality"])
        case "/measuring": return Route([.GET: { try await showMeasuring($0, $1) }])
        case "/samples.csv":
            return Route([.GET: { try await exportSamplesCSV($0, $1) }], parameters: ["separator", "decimal", "bom"])
        case "/samples.gpl": return Route([.GET: { try await exportSamplesGPL($0, $1) }])
        case "/samples.json": return Route([.GET: { try await exportSamplesJSON($0, $1) }])
        case "/snapshot.jpg": return Route([.GET: { try await takeSnapshot($0, $1) }], parameters: ["view"])
        case "/stream.mjpg": return Route([.GET: { try streamPictures($0, $1) }], parameters: ["view", "fps"])
        case "/test": return Route([.GET: { try await compareColors($0, $1) }])
        case "/ws": return Route([.GET: { try await openReadingSocket($0, $1) }])
        case "/ws/picture": return Route([.GET: { try await openPictureSocket($0, $1) }], parameters: ["view"])
        default:
            if let name = path.rest(after: "/api/controls/") {
                return Route([.PUT: { request, _ in try await setControl(name, request) }])
            }
            if let id = path.rest(after: "/api/marks/") {
                return Route([.DELETE: { _, principal in try await deleteMark(id, principal) }])
            }
            if let id = path.rest(after: "/api/samples/") {
                return Route([
                    .GET: { _, _ in try showSample(id) },
                    .PATCH: { request, _ in try await renameSample(id, request) },
                    .DELETE: { _, _ in try await deleteSample(id) },
                ])
            }
            if let name = path.rest(after: "/test/") {
                return Route([.GET: { _, _ in try await showColor(name) }])
            }
            return nil
        }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
