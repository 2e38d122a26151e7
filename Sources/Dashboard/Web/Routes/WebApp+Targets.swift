import Capture
import Color
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Readings
import Untrusted

/// Targets: listing, setting and deleting them, and the verdict on one part.
extension WebApp {
    /// Handles `GET /api/targets`.
    func listTargets(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let document = Document(key: "/api/targets", version: "\(shared.config.revision)") {
            JSONText.data(of: ["targets": targets.map(\.configValue)])
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `GET /api/targets/{name}`.
    func showTarget(_ name: Substring) throws -> HTTPResponse {
        guard let target = targets.first(where: { $0.name == Self.decoded(name) }) else {
            throw HTTPError.noTarget
        }
        return .json(target.configValue)
    }

    /// Handles `PUT /api/targets/{name}` with a color, the number of a sample, or neither, which stands for the present
    /// colour.
    func setTarget(_ name: Substring, _ request: HTTPRequest) async throws -> HTTPResponse {
        var values = try await request.json([String: ConfigValue].self, orRefuse: .badTarget)
        let sample = values.removeValue(forKey: "sample")
        guard values["name"] == nil, sample == nil || values["color"] == nil else { throw HTTPError.badTarget }
        if values["color"] == nil { values["color"] = .string(try await color(ofSample: sample)) }
        values["name"] = Self.decoded(name).map { .string($0.text) }
        let target: Config.Target
        do throws(ConfigRejection) {
            target = try Config.Target(.table(values))
        } catch {
            throw HTTPError.badTarget("\(error.message)")
        }
        guard let isNew = await shared.settingsMemory.set(target, in: \.targets) else { throw HTTPError.tooManyTargets }
        return answer(target.configValue, status: isNew ? .created : .ok)
    }

    /// Handles `DELETE /api/targets/{name}`, which answers with the deleted target.
    func deleteTarget(_ name: Substring) async throws -> HTTPResponse {
        guard let deleted = await shared.settingsMemory.delete(Self.decoded(name), from: \.targets) else {
            throw HTTPError.noTarget
        }
        return answer(deleted.configValue)
    }

    /// Handles `POST /api/verdict` with `{"readings": ...}`. The response follows when all readings have arrived.
    func judge(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let wanted = try await request.json(VerdictRequest.self, keys: ["readings"], orRefuse: .badVerdict)
        let count = wanted.readings ?? Sample.defaultReadings
        guard MeasuredColor.minCount...Sample.readingCounts.upperBound ~= count else { throw HTTPError.badVerdict }
        let targets = targets.map(\.colorTarget)
        guard !targets.isEmpty else { throw HTTPError.noTargets }
        let collector = try await collect(count, request, principal)
        guard let verdicts = collector.verdicts(against: targets) else { throw HTTPError.noTargets }
        return .json(JSONWriter.data(verdicts))
    }

    /// Handles `GET /api/counts`.
    func showCounts(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let version = "\(shared.parts.revision) \(shared.config.revision)"
        let document = Document(key: "/api/counts", version: version) { JSONWriter.data(counts(shared.parts.value)) }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `DELETE /api/counts`, which answers with the counters as they were.
    func resetCounts() -> HTTPResponse {
        var before: PartCounts?
        let now = shared.clocks.date()
        let parts = shared.parts.update { parts in
            before = parts
            parts.reset(at: now)
        }
        return .json(JSONWriter.data(counts(before ?? parts)))
    }

    private func counts(_ parts: PartCounts) -> CountsDocument {
        CountsDocument(parts: parts, targets: targets.map(\.colorTarget))
    }

    private var targets: [Config.Target] { shared.config.value.effective.targets }

    /// Returns a name in a path without its percent encoding; nil if it is wrong.
    static func decoded(_ name: Substring) -> Name? {
        let path = URLComponents(string: "/\(name)", encodingInvalidCharacters: false)?.path
        // A name that is not safe to compare is that of nothing.
        return path.flatMap { $0.isStreamSafe ? Name(String($0.dropFirst())) : nil }
    }

    /// Returns the colour of a sample, or of the newest reading, as CSS.
    private func color(ofSample number: ConfigValue?) async throws -> String {
        let mean: RGB
        if let number {
            guard case .integer(let id) = number, let sample = shared.samples.sample(id) else {
                throw HTTPError.noSample
            }
            mean = sample.mean
        } else {
            let reading = await shared.reading
            guard let color = reading.mean else {
                throw HTTPError.unavailable(
                    code: reading.state.rawValue, "There is no colour: \(reading.message ?? reading.state.rawValue)")
            }
            mean = color
        }
        return CIELab(mean).css
    }
}

extension CIELab {
    /// The colour as CSS, to four decimals.
    var css: String {
        let numbers = [lightness, a, b].map { $0.rounded(decimals: 4).shortestText }
        return "lab(\(numbers.joined(separator: " ")))"
    }
}

/// The parts counted so far.
private struct CountsDocument: JSONObject {
    let parts: PartCounts
    let targets: [ColorTarget]

    func writeFields(to json: inout JSONWriter) {
        json.field("none", parts.none)
        json.field("since", parts.since.timestamp)
        json.field("targets", targets.map { TargetCounts(name: $0.name, counts: parts.tracker(of: $0)?.counts) })
    }
}

private struct TargetCounts: JSONObject {
    let name: String
    let counts: VerdictTracker.Counts?

    func writeFields(to json: inout JSONWriter) {
        json.field("counts", counts ?? .init())
        json.field("name", name)
    }
}

private struct VerdictRequest: Decodable {
    var readings: Int?
}

extension HTTPError {
    fileprivate static let noTarget = notFound(
        code: "target-not-found", "There is no such target. /api/targets lists them.")

    fileprivate static let badTarget = badTarget(
        "Send a JSON object with a color such as {\"color\": \"#C8102E\", \"tolerance\": 2}, or with the number of a sample "
            + "such as {\"sample\": 7}, or with neither for the present colour. The name is in the address.")

    fileprivate static func badTarget(_ message: String) -> HTTPError { badRequest(code: "bad-target", message) }

    fileprivate static let tooManyTargets = conflict(
        code: "targets-full", "There are \(Config.Target.maxCount) targets, which is the limit. Delete some.")

    fileprivate static let badVerdict = badRequest(
        code: "bad-verdict",
        "Send a JSON object such as {\"readings\": 16}; readings are optional, and must be in "
            + "\(MeasuredColor.minCount)...\(Sample.readingCounts.upperBound).")

    fileprivate static let noTargets = conflict(
        code: "no-targets", "There is no target to compare the colour with. Set one with PUT /api/targets/{name}.")
}
