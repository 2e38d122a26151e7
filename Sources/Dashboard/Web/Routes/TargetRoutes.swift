import Color
import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Pixels
import Readings
import State
import Storage

/// Targets: listing, setting and deleting them, and the verdict on one part.
struct TargetRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    let measuring: Measuring

    var routes: [Route] {
        [
            Route(.GET, "/api/targets", "The targets") {
                try await documents.json(to: $0, version: "\(shared.config.revision)") {
                    JSONText.data(of: targets.list(targets.items()))
                }
            }
            .described(
                "listTargets", isAlwaysReady: true,
                .ok(
                    "The targets, in their order.",
                    .object([
                        .init("targets", .array(of: .component("Target"), 0...Config.Target.maxCount))
                    ]))),
            Route(.GET, "/api/targets/{name}", parameters: [.item("a target")], "A target", targets.show)
                .described(
                    "getTarget", isAlwaysReady: true,
                    .ok("The target.", "Target"),
                    .refusal(404, "There is no such target.")),
            Route(.PUT, "/api/targets/{name}", parameters: [.item("a target")], "Set a target") {
                try await targets.set($0, completing: addColor)
            }
            .described(
                "setTarget",
                "Adds a target, or replaces the one of this name. It holds until the tables `[[targets]]` in "
                    + "`config.toml` are edited, or `DELETE /api/settings`.",
                takes: .json("TargetOrder"),
                .ok("The target, which has replaced another.", "Target"),
                .created("The new target.", "Target"),
                .refusal(404, "There is no such sample."),
                .refusal(409, "There are 64 targets."),
                .refusal(503, "There is no colour; `code` is the state of the reading.")),
            Route(.PATCH, "/api/targets/{name}", parameters: [.item("a target")], "Rename a target", renameTarget)
                .described(
                    "renameTarget",
                    "The target keeps its place, its counters, and the probes that are compared with it. It replaces a target "
                        + "that has this name.",
                    takes: .json("TargetChange"), isAlwaysReady: true,
                    .ok("The renamed target.", "Target"),
                    .refusal(404, "There is no such target.")),
            Route(.DELETE, "/api/targets/{name}", parameters: [.item("a target")], "Delete a target", targets.delete)
                .described(
                    "deleteTarget", isAlwaysReady: true,
                    .ok("The deleted target.", "Target"),
                    .refusal(404, "There is no such target.")),
            Route(.GET, "/api/counts", "The parts counted by their verdicts", showCounts)
                .described("getCounts", isAlwaysReady: true, .ok("The counters.", "PartCounts")),
            Route(.DELETE, "/api/counts", "Set the counters to 0", resetCounts)
                .described(
                    "resetCounts", "The part that is in view is not counted again.", isAlwaysReady: true,
                    .ok("The counters as they were.", "PartCounts")),
            Route(.POST, "/api/teach-in", "Compute a target from samples of parts", teach)
                .described(
                    "teach",
                    "Computes a target from samples of good parts, and says which of the bad ones it would let pass. "
                        + "It changes nothing; `PUT /api/targets/{name}` sets the target.",
                    takes: .json("TeachInOrder"),
                    isAlwaysReady: true,
                    .ok("The target that the parts teach.", "Lesson"),
                    .refusal(404, "There is no such sample."),
                    .refusal(409, "The colour of a good part is clipped, so it cannot teach (`sample-clipped`).")),
            Route(.POST, "/api/verdict", "Judge one part", judge)
                .described(
                    "judge",
                    "Averages new readings, one for each frame that is captured after the request, and compares them "
                        + "with every target. The response comes when they have arrived: 16 take four seconds at "
                        + "four readings a second.",
                    takes: .json("VerdictOrder"),
                    .ok("The verdicts.", "Verdicts"),
                    .refusal(
                        409,
                        "There is no target, or the camera, its format, a control, the region or the configuration "
                            + "changed meanwhile; `code` says which."),
                    .refusal(
                        503,
                        "There is no colour (`code` is the state of the reading), the frames have not arrived in "
                            + "time, too many samples are under way, or Swatchcam is stopping.")),
        ]
    }

    private var targets: NamedItems<Config.Target> {
        NamedItems(
            \.targets, of: shared,
            missing: .notFound(code: "target-not-found", "There is no such target. /api/targets lists them."),
            full: .targetsFull, malformed: .badTarget)
    }

    private func renameTarget(_ call: Call) async throws -> HTTPResponse {
        let name = try await call.text("name", orRefuse: .badTarget)
        let old = try targets.item(call)
        guard case .table(var values) = old.configValue else { throw HTTPError.badTarget }
        values["name"] = .string(name)
        let renamed: Config.Target
        do throws(ConfigRejection) {
            renamed = try Config.Target(.table(values))
        } catch {
            throw targets.refusal(error)
        }
        var isFound = false
        await shared.settingsMemory.change { config in
            guard let index = config.targets.firstIndex(where: { $0.name == old.name }) else { return }
            isFound = true
            config.targets[index] = renamed
            config.targets = config.targets.enumerated().filter { $0 == index || $1.name != renamed.name }.map(
                \.element)
            // Probes that are compared with it stay so.
            config.probes = config.probes.map { $0.renamingTarget(old.name, to: renamed.name) }
        }
        guard isFound else { throw targets.missing }
        return targets.answer(renamed)
    }

    /// Adds the colour of a sample, or that of the newest reading, to the values of a target without one.
    private func addColor(to values: inout [String: ConfigValue]) async throws {
        let sample = values.removeValue(forKey: "sample")
        guard sample == nil || values["color"] == nil else { throw HTTPError.badTarget }
        if values["color"] == nil { values["color"] = .string(try await color(ofSample: sample)) }
    }

    private func judge(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(VerdictRequest.self, keys: ["readings"], orRefuse: .badVerdict)
        let count = wanted.readings ?? Sample.defaultReadings
        guard MeasuredColor.minCount...Sample.readingCounts.upperBound ~= count else { throw HTTPError.badVerdict }
        let targets = targets.items().map(\.colorTarget)
        guard !targets.isEmpty else { throw HTTPError.noTargets }
        let collector = try await measuring.collect(count, for: call)
        guard let verdicts = collector.verdicts(against: targets) else { throw HTTPError.noTargets }
        return .json(JSONWriter.data(verdicts))
    }

    private func showCounts(_ call: Call) async throws -> HTTPResponse {
        let version = "\(shared.parts.revision) \(shared.config.revision)"
        return try await documents.json(to: call, version: version) { JSONWriter.data(counts(shared.parts.value)) }
    }

    private func resetCounts(_: Call) -> HTTPResponse {
        var before: PartCounts?
        let now = shared.clocks.date()
        let parts = shared.parts.update { parts in
            before = parts
            parts.reset(at: now)
        }
        return .json(JSONWriter.data(counts(before ?? parts)))
    }

    private func counts(_ parts: PartCounts) -> CountsDocument {
        CountsDocument(parts: parts, targets: targets.items().map(\.colorTarget))
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
struct CountsDocument: JSONFields {
    let parts: PartCounts
    let targets: [ColorTarget]

    static let fields = JSONFieldList<Self>(
        PartCounts.fields.map { $0.of(\.parts) } + [
            .value("targets", .array(of: TargetCounts.schema, 0...Config.Target.maxCount)) { document in
                document.targets.map { TargetCounts(name: $0.name, counts: document.parts.tracker(of: $0)?.counts) }
            }
        ])
}

private struct TargetCounts: JSONFields {
    let name: String
    let counts: VerdictTracker.Counts?

    static let fields: JSONFieldList<Self> = [
        .value("counts", .component("VerdictCounts")) { $0.counts ?? .init() },
        .value("name", .component("TargetName")) { $0.name },
    ]
}

private struct VerdictRequest: Decodable {
    var readings: Int?
}

extension HTTPError {
    fileprivate static let badTarget = badRequest(
        code: "bad-target",
        "Send a JSON object with a color such as {\"color\": \"#C8102E\", \"tolerance\": 2}, or with the number of a "
            + "sample such as {\"sample\": 7}, or with neither for the present colour. The name is in the address.")

    static let targetsFull = conflict(
        code: "targets-full", "There are \(Config.Target.maxCount) targets, which is the limit. Delete some.")

    fileprivate static let badVerdict = badRequest(
        code: "bad-verdict",
        "Send a JSON object such as {\"readings\": 16}; readings are optional, and must be in "
            + "\(MeasuredColor.minCount)...\(Sample.readingCounts.upperBound).")

    fileprivate static let noTargets = conflict(
        code: "no-targets", "There is no target to compare the colour with. Set one with PUT /api/targets/{name}.")
}
