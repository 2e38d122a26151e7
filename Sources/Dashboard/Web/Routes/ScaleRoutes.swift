import Configuration
import Documents
import FlyingFox
import Handoff
import Metrology
import State
import Storage

/// Scales: listing, setting and deleting them.
struct ScaleRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender

    var routes: [Route] {
        [
            Route(.GET, "/api/scales", "The scales") {
                try await documents.json(to: $0, version: "\(shared.config.revision)") {
                    JSONText.data(of: scales.list(scales.items()))
                }
            },
            Route(.GET, "/api/scales/{name}", "A scale", scales.show),
            Route(.PUT, "/api/scales/{name}", "Set a scale") { try await scales.set($0) },
            Route(.DELETE, "/api/scales/{name}", "Delete a scale", scales.delete),
        ]
    }

    private var scales: NamedItems<Config.Scale> {
        NamedItems(
            \.scales, of: shared,
            missing: .notFound(code: "scale-not-found", "There is no such scale. /api/scales lists them."),
            full: .conflict(
                code: "scales-full", "There are \(Config.Scale.maxCount) scales, which is the limit. Delete some."),
            malformed: .badRequest(
                code: "bad-scale",
                "Send a JSON object with points such as {\"points\": [{\"value\": 6, \"color\": \"#E8C34A\"}, …]}, of which "
                    + "there are \(ColorScale.counts.lowerBound) to \(ColorScale.counts.upperBound), and with unit, probe "
                    + "and tolerance if they are wanted. The name is in the address."))
    }
}
