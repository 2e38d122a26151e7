import Assets
import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard

/// Tests that the documents have the routes of the server.
@Suite("The list of routes")
struct RouteListTests {
    /// What docs/openapi.json says about the routes.
    private struct Description: Decodable {
        struct Operation: Decodable {
            var summary: String
            var parameters: [Parameter]?
            /// Empty if everyone may use it; nil for clients with access.
            var security: [[String: [String]]]?
            /// The responses by their status.
            var responses: [String: Response]
        }

        struct Response: Decodable {}

        struct Parameter: Decodable {
            private enum CodingKeys: String, CodingKey { case name, `in`, reference = "$ref" }

            var name: String?
            var `in`: String?
            /// The path of a shared parameter in the document.
            var reference: String?
        }

        struct Components: Decodable { var parameters: [String: Parameter] }

        var paths: [String: [String: Operation]]
        var components: Components
    }

    private let routes: [Route]

    init() throws { routes = try WebApp.sample(.sample()).routes }

    private static func line(
        _ method: String, _ path: String, _ parameters: [String], isOpen: Bool, _ summary: String
    ) -> String {
        "\(method) \(path) \(parameters.sorted().joined(separator: "&"))\(isOpen ? " without access" : ""): \(summary)"
    }

    @Test("the description of the API has every route but pages, with its parameters, its access and its summary")
    func description() throws {
        let file = try #require(Assets.files["docs/openapi.json"])
        let description = try JSONDecoder().decode(Description.self, from: file)
        let described = description.paths.flatMap { path, operations in
            operations.map { method, operation in
                let parameters = (operation.parameters ?? []).compactMap { parameter in
                    let name = parameter.reference?.split(separator: "/").last.map(String.init)
                    return name.map { description.components.parameters[$0] } ?? parameter
                }
                return Self.line(
                    method.uppercased(), path, parameters.filter { $0.in == "query" }.compactMap(\.name),
                    isOpen: operation.security?.isEmpty == true, operation.summary)
            }
        }
        let listed = routes.compactMap { route in
            route.summary.map {
                Self.line(route.method.rawValue, route.path, route.parameters, isOpen: route.right == .open, $0)
            }
        }
        #expect(Set(described).symmetricDifference(listed).sorted() == [])
        #expect(Set(listed).count == listed.count)
        for route in routes where route.summary != nil && route.right != .open {
            let responses = description.paths[route.path]?[route.method.rawValue.lowercased()]?.responses.keys
            let refusals = route.right == .control ? ["401", "403"] : ["401"]
            #expect(responses.map { Set(refusals).subtracting($0) } == [], "\(route.path)")
        }
    }

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
                let parameters = route.parameters.map { "`\($0)`" }.joined(separator: ", ")
                return ["`\(route.method.rawValue) \(route.path)`", summary, parameters, access]
            })
    }
}
