import FlyingFox

extension WebApp {
    /// All routes, in the order of docs/api.md.
    var routes: [Route] {
        let measuring = Measuring(shared: shared, access: access, shares: shares)
        let groups = [
            ReadingRoutes(shared: shared, documents: documents, longReadings: shares.longReadings).routes,
            ColorRoutes().routes,
            socketRoutes,
            PictureRoutes(shared: shared, access: access, viewers: shares.viewers, timeout: timeout).routes,
            CameraRoutes(shared: shared, documents: documents, timeout: timeout).routes,
            ControlRoutes(shared: shared, documents: documents, timeout: timeout).routes,
            CalibrationRoutes(shared: shared, documents: documents).routes,
            PatchRoutes(shared: shared, measuring: measuring).routes,
            PaletteRoutes(shared: shared, documents: documents).routes,
            SampleRoutes(shared: shared, documents: documents, measuring: measuring).routes,
            TargetRoutes(shared: shared, documents: documents, measuring: measuring).routes,
            ScaleRoutes(shared: shared, documents: documents).routes,
            ProbeRoutes(shared: shared, documents: documents).routes,
            StateRoutes(shared: shared, measuring: measuring).routes,
            AbsorbanceRoutes(shared: shared, documents: documents, measuring: measuring).routes,
            HistoryRoutes(shared: shared, documents: documents, programVersion: pages.version).routes,
            MarkRoutes(shared: shared, limiter: marks).routes,
            RecordingRoutes(shared: shared, limiter: marks).routes,
            SettingsRoutes(shared: shared, documents: documents).routes,
            ownRoutes,
            PageRoutes(shared: shared, pages: pages, documents: documents).routes,
        ]
        return groups.flatMap(\.self)
    }

    private var ownRoutes: [Route] {
        [
            Route(.GET, "/metrics", right: .metrics, "The figures of the program for Prometheus") {
                try await showMetrics($0.request, to: $0.principal.key)
            },
            Route(.GET, "/healthz", right: .open, "Whether readings are fresh", checkHealth),
            Route(.GET, "/login", right: .open, parameters: ["after"], "The login page", showLogin),
            Route(.POST, "/login", right: .open, "Log in", logIn),
            Route(.POST, "/logout", right: .open, "Log out", logOut),
        ]
    }

    /// Returns the response with a document, which holds places of its client until it is sent.
    func send(_ document: Document, to client: ClientKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        try await documents.send(document, to: client, request)
    }
}
