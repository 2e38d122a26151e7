import FlyingFox
import TestSupport
import Testing

@testable import Dashboard

/// Tests that the documents have the routes of the server.
@Suite("The list of routes")
struct RouteListTests {
    private let routes: [Route]

    init() throws { routes = try WebApp.sample(.sample()).routes }

    @Test("docs/api.md lists the routes; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        try expectTable(
            "routes", in: "api.md",
            routes.compactMap { route in
                guard let summary = route.summary else { return nil }
                let access =
                    switch route.right {
                    case .open: "none"
                    case .metrics: "to read, or none by `metrics.open`"
                    case .view: "to read"
                    case .control: "full"
                    }
                let parameters = route.queryNames.map { "`\($0)`" }.joined(separator: ", ")
                return ["`\(route.method.rawValue) \(route.path)`", summary, parameters, access]
            })
    }
}
