import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Pixels
import Readings
import Untrusted

/// Probes: listing, setting and deleting them, one by one or as a grid.
extension WebApp {
    /// Handles `GET /api/probes`.
    func listProbes(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let version = "\(shared.config.revision) \(shared.settingsMemory.problem ?? "")"
        let document = Document(key: "/api/probes", version: version) {
            JSONText.data(of: list(of: probes).with(shared.settingsMemory.problem))
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `GET /api/probes/{name}`.
    func showProbe(_ name: Substring) throws -> HTTPResponse {
        guard let probe = probes.first(where: { $0.name == Self.decoded(name) }) else { throw HTTPError.noProbe }
        return .json(probe.configValue)
    }

    /// Handles `PUT /api/probes/{name}`. A reference takes the place of the one before.
    func setProbe(_ name: Substring, _ request: HTTPRequest) async throws -> HTTPResponse {
        var values = try await request.json([String: ConfigValue].self, orRefuse: .badProbe)
        guard values["name"] == nil else { throw HTTPError.badProbe }
        values["name"] = Self.decoded(name).map { .string($0.text) }
        let probe: Probe
        do throws(ConfigRejection) {
            probe = try Probe(.table(values))
        } catch {
            throw HTTPError.badProbe("\(error.message)")
        }
        let isNew = await shared.settingsMemory.set(probe, in: \.probes) { others in
            if probe.isReference { others = others.map(\.withoutReference) }
        }
        guard let isNew else { throw HTTPError.tooManyProbes }
        return answer(probe.configValue, status: isNew ? .created : .ok)
    }

    /// Handles `DELETE /api/probes/{name}`, which answers with the deleted probe.
    func deleteProbe(_ name: Substring) async throws -> HTTPResponse {
        guard let deleted = await shared.settingsMemory.delete(Self.decoded(name), from: \.probes) else {
            throw HTTPError.noProbe
        }
        return answer(deleted.configValue)
    }

    /// Handles `PUT /api/probes` with a grid, which takes the place of all probes but the reference.
    func layOutProbes(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keys = ["rows", "columns", "region", "share"]
        let grid = try await request.json(ProbeGrid.self, keys: keys, orRefuse: .badGrid)
        guard let cells = grid.probes else { throw HTTPError.badGrid }
        var isDone = false
        await shared.settingsMemory.change { config in
            let kept = config.probes.filter { old in old.isReference && !cells.contains { $0.name == old.name } }
            isDone = kept.count + cells.count <= Probe.maxCount
            if isDone { config.probes = kept + cells }
        }
        guard isDone else { throw HTTPError.tooManyProbes }
        return answer(list(of: probes))
    }

    /// Handles `DELETE /api/probes`, which deletes all, and answers with those that were deleted.
    func deleteProbes() async -> HTTPResponse {
        var deleted: [Probe] = []
        await shared.settingsMemory.change { config in (deleted, config.probes) = (config.probes, []) }
        return answer(list(of: deleted))
    }

    /// Handles `POST /api/reference`, after which the next readings set the light of the reference.
    func resetReference() async throws(HTTPError) -> HTTPResponse {
        guard let reference = probes.first(where: \.isReference) else { throw HTTPError.noReference }
        shared.reference.latest.publish(nil)
        await shared.reference.save()
        return answer(reference.configValue, problem: shared.reference.problem)
    }

    /// Returns whether a client wants everything that is known of the probes, by `?probes=all`.
    func wantsWholeProbes(_ request: HTTPRequest) throws(HTTPError) -> Bool {
        switch request.parameter("probes") {
        case nil: return false
        case "all": return true
        default:
            throw HTTPError.badRequest(
                code: "bad-probes",
                "probes must be all; without it, probes have only their names, colours and verdicts.")
        }
    }

    private var probes: [Probe] { shared.config.value.effective.probes }

    private func list(of probes: [Probe]) -> ConfigValue { .table(["probes": .list(probes.compactMap(\.configValue))]) }
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
    fileprivate var withoutReference: Probe { Probe(name: name, region: region) }
}

extension HTTPError {
    fileprivate static let noProbe = notFound(
        code: "probe-not-found", "There is no such probe. /api/probes lists them.")

    fileprivate static let badProbe = badProbe(
        "Send a JSON object with a region such as {\"region\": [0.1, 0.1, 0.05, 0.05]}, and if the probe is the reference, "
            + "\"reference\": true. The name is in the address.")

    fileprivate static let badGrid = badProbe(
        "Send a grid such as {\"rows\": 8, \"columns\": 12, \"region\": [0.1, 0.1, 0.8, 0.8], \"share\": 0.5}: at most "
            + "\(Probe.maxCount) cells, a region in the picture, and the share of a cell that is measured, 0.05 to 1, "
            + "0.5 if omitted.")

    fileprivate static func badProbe(_ message: String) -> HTTPError { badRequest(code: "bad-probe", message) }

    fileprivate static let noReference = conflict(
        code: "no-reference", "No probe is the reference. Set one with PUT /api/probes/{name} and \"reference\": true.")

    fileprivate static let tooManyProbes = conflict(
        code: "probes-full",
        "There would be more than \(Probe.maxCount) probes, which is the limit. Delete some.")
}
