import Documents
import FlyingFox

extension WebApp {
    /// All routes, in the order of docs/api.md.
    var routes: [Route] {
        let measuring = Measuring(shared: shared, access: access, shares: shares)
        let groups = [
            ReadingRoutes(shared: shared, documents: documents, longReadings: shares.longReadings).routes.tagged(
                "Readings"),
            ColorRoutes().routes.tagged("Readings"),
            socketRoutes,
            PictureRoutes(shared: shared, access: access, viewers: shares.viewers, timeout: timeout).routes.tagged(
                "Pictures"),
            CameraRoutes(shared: shared, documents: documents, timeout: timeout).routes.tagged("Cameras"),
            ControlRoutes(shared: shared, documents: documents, timeout: timeout).routes.tagged("Controls"),
            CalibrationRoutes(shared: shared, documents: documents).routes.tagged("Controls"),
            PatchRoutes(shared: shared, measuring: measuring).routes.tagged("Controls"),
            PaletteRoutes(shared: shared, documents: documents).routes.tagged("Readings"),
            SampleRoutes(shared: shared, documents: documents, measuring: measuring).routes.tagged("Samples"),
            TargetRoutes(shared: shared, documents: documents, measuring: measuring).routes.tagged("Targets"),
            ScaleRoutes(shared: shared, documents: documents, limiter: marks).routes.tagged("Scales"),
            ProbeRoutes(shared: shared, documents: documents).routes.tagged("Probes"),
            StateRoutes(shared: shared, measuring: measuring).routes.tagged("Targets"),
            AbsorbanceRoutes(shared: shared, documents: documents, measuring: measuring).routes.tagged("Absorbance"),
            HistoryRoutes(shared: shared, documents: documents, programVersion: pages.version).routes.tagged("History"),
            MarkRoutes(shared: shared, limiter: marks).routes.tagged("History"),
            RecordingRoutes(shared: shared, limiter: marks).routes.tagged("History"),
            SettingsRoutes(shared: shared, documents: documents).routes.tagged("Settings"),
            ownRoutes,
            PageRoutes(shared: shared, pages: pages, documents: documents).routes,
        ]
        return groups.flatMap(\.self)
    }

    private var ownRoutes: [Route] {
        [
            Route(.GET, "/metrics", right: .metrics, "The figures of the program for Prometheus") {
                try await showMetrics($0)
            }
            .described(
                "getMetrics", tag: "Program",
                "In Prometheus's text format, version 0.0.4 (/usr/share/doc/swatchcam/prometheus.md). While nobody "
                    + "watches, this request waits for a reading as `GET /api/reading` does. With `metrics.open = "
                    + "true`, it needs no token.",
                .file("The figures.", "text/plain")),
            Route(.GET, "/healthz", right: .open, "Whether readings are fresh", checkHealth)
                .described(
                    "getHealth", tag: "Program",
                    .ok("They are fresh.", "Health"),
                    .refusal(503, "There is no colour: `code` is the state.")),
            Route(
                .GET, "/login", right: .open,
                parameters: [
                    Parameter("after", "The path to which a login leads, once the browser has kept its cookie.")
                ], "The login page", showLogin
            )
            .described(
                "showLogin", tag: "Access", isAlwaysReady: true,
                .file("A page with a form.", "text/html"),
                .other(
                    303, "No token is required, or the browser has logged in (`after`).",
                    headers: [.init("Location", "The page, relative to this address.")]),
                .other(
                    401, "The browser has not kept the cookie of its login (`after`); the login page again.",
                    "text/html")),
            Route(.POST, "/login", right: .open, "Log in", logIn)
                .described(
                    "logIn", tag: "Access",
                    takes: .form([
                        .optional("next", .string, "The path on this site to go to; anything else means `/`."),
                        .optional("token", .string, "A missing token counts as a wrong one."),
                    ]),
                    isAlwaysReady: true,
                    .other(
                        303, "Logged in; the cookie is set if a token is configured.",
                        headers: [
                            .init(
                                "Location",
                                "The login page, which leads to the next page if the browser has kept the cookie; relative to this address."
                            ), .init("Set-Cookie", "The session.", isOptional: true),
                        ]),
                    .other(401, "A wrong token; the login page again.", "text/html"),
                    .other(429, "Too many wrong tokens; the login page again.", "text/html")),
            Route(.POST, "/logout", right: .open, "Log out", logOut)
                .described(
                    "logOut", tag: "Access", isAlwaysReady: true,
                    .other(
                        303, "Logged out; the cookie is deleted.",
                        headers: [
                            .init("Location", "The login page."), .init("Set-Cookie", "The cookie, empty and expired."),
                        ])),
        ]
    }
}
