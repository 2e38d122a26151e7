import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Pixels
import Readings
import State
import Storage
import Untrusted

/// Probes: listing, setting and deleting them, one by one or as a grid.
struct ProbeRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender

    var routes: [Route] {
        [
            Route(.GET, "/api/probes", "The probes", listProbes)
                .described("listProbes", isAlwaysReady: true, .ok("The probes, in their order.", "Probes")),
            Route(.GET, "/api/probes/{name}", parameters: [.item("a probe")], "A probe", probes.show)
                .described(
                    "getProbe", isAlwaysReady: true,
                    .ok("The probe.", "Probe"),
                    .refusal(404, "There is no such probe.")),
            Route(.PUT, "/api/probes/{name}", parameters: [.item("a probe")], "Set a probe") { call in
                try await probes.set(call, preparing: { if $0.isReference { $1 = $1.map(\.withoutReference) } })
            }
            .described(
                "setProbe",
                "Adds a probe, or replaces the one of this name. A new reference takes the place of the one before. "
                    + "Probes hold until the tables `[[probes]]` in `config.toml` are edited, or `DELETE "
                    + "/api/settings`.",
                takes: .json("ProbeOrder"),
                isAlwaysReady: true,
                .ok("The probe, which has replaced another.", "Probe"),
                .created("The new probe.", "Probe"),
                .refusal(409, "There are 96 probes.")),
            Route(.PUT, "/api/probes", "Lay out a grid of probes", layOutProbes)
                .described(
                    "layOutProbes",
                    "Sets a probe in the middle of each cell of a rectangle, in place of all probes but the "
                        + "reference.",
                    takes: .json("ProbeGrid"),
                    isAlwaysReady: true,
                    .ok("The probes, in their order.", "Probes"),
                    .refusal(409, "There would be more than 96 probes.")),
            Route(.DELETE, "/api/probes/{name}", parameters: [.item("a probe")], "Delete a probe", probes.delete)
                .described(
                    "deleteProbe", isAlwaysReady: true,
                    .ok("The deleted probe.", "Probe"),
                    .refusal(404, "There is no such probe.")),
            Route(.DELETE, "/api/probes", "Delete all probes", deleteProbes)
                .described("deleteProbes", isAlwaysReady: true, .ok("The deleted probes.", "Probes")),
            Route(.POST, "/api/reference", "Set the light of the reference again", resetReference)
                .described(
                    "resetReference",
                    "The next 8 readings of the reference probe become the light with which later ones are compared. "
                        + "The `reference` of readings says when they have come.",
                    isAlwaysReady: true,
                    .ok("The reference probe.", "Probe"),
                    .refusal(409, "No probe is the reference.")),
        ]
    }

    private var probes: NamedItems<Probe> {
        NamedItems(
            \.probes, of: shared,
            missing: .notFound(code: "probe-not-found", "There is no such probe. /api/probes lists them."),
            full: .tooManyProbes, malformed: .badProbe)
    }

    private func listProbes(_ call: Call) async throws -> HTTPResponse {
        let version = "\(shared.config.revision) \(shared.settingsMemory.problem ?? "")"
        return try await documents.json(to: call, version: version) {
            JSONText.data(of: probes.list(probes.items()).with(shared.settingsMemory.problem))
        }
    }

    private func layOutProbes(_ call: Call) async throws -> HTTPResponse {
        let keys = ["rows", "columns", "region", "share"]
        let grid = try await call.json(ProbeGrid.self, keys: keys, orRefuse: .badGrid)
        guard let cells = grid.probes else { throw HTTPError.badGrid }
        var isDone = false
        await shared.settingsMemory.change { config in
            let kept = config.probes.filter { old in old.isReference && !cells.contains { $0.name == old.name } }
            isDone = kept.count + cells.count <= Probe.maxCount
            if isDone { config.probes = kept + cells }
        }
        guard isDone else { throw HTTPError.tooManyProbes }
        return answer(with: probes.items())
    }

    private func deleteProbes(_: Call) async -> HTTPResponse {
        var deleted: [Probe] = []
        await shared.settingsMemory.change { config in (deleted, config.probes) = (config.probes, []) }
        return answer(with: deleted)
    }

    private func resetReference(_: Call) async throws(HTTPError) -> HTTPResponse {
        guard let reference = probes.items().first(where: \.isReference) else {
            throw HTTPError.conflict(
                code: "no-reference",
                "No probe is the reference. Set one with PUT /api/probes/{name} and \"reference\": true.")
        }
        shared.reference.latest.publish(nil)
        await shared.reference.save()
        return .json(reference.configValue?.with(shared.reference.problem))
    }

    private func answer(with list: [Probe]) -> HTTPResponse {
        .json(probes.list(list).with(shared.settingsMemory.problem))
    }
}

/// Probes in the cells of a rectangle, such as the wells of a plate.
private struct ProbeGrid: Decodable {
    /// The part of a cell's width and height that a probe covers unless something else is wanted.
    private static let usualShare = 0.5

    private enum CodingKeys: String, CodingKey { case rows, columns, region, share }

    private let rows: Int
    private let columns: Int
    /// The rectangle: x, y, width and height.
    private let region: [Double]
    private let share: Double

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rows = try values.decode(Int.self, forKey: .rows)
        columns = try values.decode(Int.self, forKey: .columns)
        region = try values.decode([Double].self, forKey: .region)
        // Null is not a share.
        share = values.contains(.share) ? try values.decode(Double.self, forKey: .share) : Self.usualShare
    }

    /// The probes from left to right and from top to bottom, named as wells are: A1, A2, ..., B1. Nil if a number is out
    /// of range, or the cells are too small.
    var probes: [Probe]? {
        guard 1...Probe.maxCount ~= rows, 1...Probe.maxCount ~= columns,
            rows * columns <= Probe.maxCount, 0.05...1 ~= share,
            let area = try? ConfigCodec<Region>.region.decode(.list(region.map { .float($0) }), "")
        else { return nil }
        let (width, height) = (area.width / Double(columns), area.height / Double(rows))
        var probes: [Probe] = []
        for (row, column) in (0..<rows).flatMap({ row in (0..<columns).map { (row, $0) } }) {
            let x = (area.x + (Double(column) + (1 - share) / 2) * width).rounded(decimals: 6)
            let y = (area.y + (Double(row) + (1 - share) / 2) * height).rounded(decimals: 6)
            // Rounded numbers may add up to more than the whole picture.
            let (right, lower) = (1 - x, 1 - y)
            let cell = Region(
                x: x, y: y, width: min((share * width).rounded(decimals: 6), right),
                height: min((share * height).rounded(decimals: 6), lower))
            guard cell.width > 0, cell.height > 0 else { return nil }
            probes.append(Probe(name: Name(Self.letters(row) + "\(column + 1)"), region: cell))
        }
        return probes
    }

    /// Returns the letters of a row, as in a spreadsheet: A to Z, AA, AB.
    private static func letters(_ row: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let last = String(alphabet[row % alphabet.count])
        return row < alphabet.count ? last : letters(row / alphabet.count - 1) + last
    }
}

extension Probe {
    fileprivate var withoutReference: Probe {
        Probe(name: name, region: region, shape: shape, isLight: isLight, targets: targets)
    }
}

extension HTTPError {
    fileprivate static let badProbe = badProbe(
        "Send a JSON object with a region such as {\"region\": [0.1, 0.1, 0.05, 0.05]}, and if the probe is the "
            + "reference, \"reference\": true. The name is in the address.")

    fileprivate static let badGrid = badProbe(
        "Send a grid such as {\"rows\": 8, \"columns\": 12, \"region\": [0.1, 0.1, 0.8, 0.8], \"share\": 0.5}: at "
            + "most \(Probe.maxCount) cells, a region in the picture, and the share of a cell that is measured, 0.05 "
            + "to 1, 0.5 if omitted.")

    fileprivate static func badProbe(_ message: String) -> HTTPError { badRequest(code: "bad-probe", message) }

    fileprivate static let tooManyProbes = conflict(
        code: "probes-full",
        "There would be more than \(Probe.maxCount) probes, which is the limit. Delete some.")
}
