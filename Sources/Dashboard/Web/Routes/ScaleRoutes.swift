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
            }
            .described(
                "listScales", isAlwaysReady: true,
                .ok(
                    "The scales, in their order.",
                    .object([.init("scales", .array(of: .component("Scale"), 0...Config.Scale.maxCount))]))),
            Route(.GET, "/api/scales/{name}", parameters: [.item("a scale")], "A scale", scales.show)
                .described(
                    "getScale", isAlwaysReady: true,
                    .ok("The scale.", "Scale"),
                    .refusal(404, "There is no such scale.")),
            Route(.PUT, "/api/scales/{name}", parameters: [.item("a scale")], "Set a scale") {
                try await scales.set($0)
            }
            .described(
                "setScale",
                "Adds a scale, or replaces the one of this name. It holds until the tables `[[scales]]` in `config.toml` are "
                    + "edited, or `DELETE /api/settings`.",
                takes: .json("ScaleOrder"), isAlwaysReady: true,
                .ok("The scale, which has replaced another.", "Scale"),
                .created("The new scale.", "Scale"),
                .refusal(409, "There are \(Config.Scale.maxCount) scales.")),
            Route(.DELETE, "/api/scales/{name}", parameters: [.item("a scale")], "Delete a scale", scales.delete)
                .described(
                    "deleteScale", isAlwaysReady: true,
                    .ok("The deleted scale.", "Scale"),
                    .refusal(404, "There is no such scale.")),
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
