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
import Untrusted

/// Absorbance and concentration: the blank, the dark and the standards.
struct AbsorbanceRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    let measuring: Measuring

    /// The blank or the dark.
    typealias LightPath = any WritableKeyPath<AbsorbanceSetup, LightRecord?> & Sendable
    /// The maximum number of characters in a unit.
    private static let maxUnitLength = 20
    private static let readingCounts = SampleCollector.minCountWithError...Sample.readingCounts.upperBound

    var routes: [Route] {
        [
            Route(.GET, "/api/absorbance", "The blank, the dark, the standards and their curve", showAbsorbance)
                .described(
                    "getAbsorbance", isAlwaysReady: true,
                    .ok("What absorbances and concentrations are computed from.", "AbsorbanceState")),
            Route(.PUT, "/api/absorbance", "Set the unit and the channel", changeAbsorbance)
                .described(
                    "changeAbsorbance", takes: .json("AbsorbanceChange"), isAlwaysReady: true,
                    .ok("The new state.", "AbsorbanceState")),
            Route(
                .DELETE, "/api/absorbance", "Remove the blank, the dark, the standards and the unit", forgetAbsorbance
            )
            .described("removeAbsorbance", isAlwaysReady: true, .ok("What was removed.", "AbsorbanceState")),
            Route(.PUT, "/api/absorbance/blank", "Measure the blank") { try await setLight(\.blank, $0) }
                .described(
                    "measureBlank",
                    "The blank is the light I₀ that passes the solvent alone. Averages readings of the region, and "
                        + "of each probe, of frames that are captured after the request; the response follows when "
                        + "they have arrived. It takes the place of the one before, and holds under the present "
                        + "conditions and in these regions.",
                    takes: .json("LightOrder"),
                    .ok("The blank is set.", "AbsorbanceState"),
                    .refusal(
                        409,
                        "Something changed meanwhile (`sample-interrupted`), or the light cannot be used "
                            + "(`absorbance-refused`).")),
            Route(.DELETE, "/api/absorbance/blank", "Remove the blank") { _ in await removeLight(\.blank) }
                .described("removeBlank", isAlwaysReady: true, .ok("What is left.", "AbsorbanceState")),
            Route(.PUT, "/api/absorbance/dark", "Measure the dark") { try await setLight(\.dark, $0) }
                .described(
                    "measureDark",
                    "The dark is the light D that the camera reports with its lens covered. Averages readings of the "
                        + "region, and of each probe, of frames that are captured after the request; the response "
                        + "follows when they have arrived. It takes the place of the one before, and holds under the "
                        + "present conditions and in these regions.",
                    takes: .json("LightOrder"),
                    .ok("The dark is set.", "AbsorbanceState"),
                    .refusal(
                        409,
                        "Something changed meanwhile (`sample-interrupted`), or the light cannot be used "
                            + "(`absorbance-refused`).")),
            Route(.DELETE, "/api/absorbance/dark", "Remove the dark") { _ in await removeLight(\.dark) }
                .described("removeDark", isAlwaysReady: true, .ok("What is left.", "AbsorbanceState")),
            Route(
                .PUT, "/api/absorbance/standards/{name}", parameters: [.item("a standard")], "Measure a standard",
                setStandard
            )
            .described(
                "setStandard",
                "Measures a solution of known concentration in the region or in that of a probe, or takes its "
                    + "absorbance as it was measured. The response follows when the readings have arrived.",
                takes: .json("StandardOrder"),
                .ok("The standard has replaced another.", "AbsorbanceState"),
                .created("The standard was added.", "AbsorbanceState"),
                .refusal(
                    409,
                    "There is no blank, or it does not allow an absorbance (`absorbance-refused`); something changed "
                        + "meanwhile (`sample-interrupted`); or there are 100 standards (`standards-full`).")),
            Route(
                .DELETE, "/api/absorbance/standards/{name}", parameters: [.item("a standard")], "Delete a standard",
                standards.delete
            )
            .described(
                "deleteStandard", isAlwaysReady: true,
                .ok("The deleted standard.", "MeasuredStandard"),
                .refusal(404, "There is no such standard.")),
        ]
    }

    private var standards: NamedItems<AbsorbanceSetup.Standard> {
        NamedItems(
            maxCount: AbsorbanceSetup.maxStandards, items: { shared.absorbance.latest.value?.standards ?? [] },
            change: { edit in await change { edit(&$0.standards) } },
            answer: { .json(Stored($0, problem: shared.absorbance.problem)) },
            missing: .notFound(code: "standard-not-found", "There is no such standard. /api/absorbance lists them."),
            full: .tooManyStandards, malformed: .badStandard)
    }

    private func showAbsorbance(_ call: Call) async throws -> HTTPResponse {
        try await documents.send(call.route.path, to: call) {
            let reading = await shared.reading
            let version = "\(reading.sequence) \(shared.absorbance.latest.revision) \(shared.absorbance.problem ?? "")"
            return Document(key: $0, version: version) { JSONWriter.data(document(reading)) }
        }
    }

    private func changeAbsorbance(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(
            AbsorbanceRequest.self, keys: ["unit", "channel"], orRefuse: .badAbsorbanceChange)
        let unit = wanted.unit?.trimmed
        let channel = wanted.channel.flatMap(StandardCurve.Channel.init(rawValue:))
        guard unit.map({ $0.unicodeScalars.count <= Self.maxUnitLength && $0.sanitized() == $0 }) != false,
            wanted.channel == nil || wanted.channel == "best" || channel != nil
        else { throw HTTPError.badAbsorbanceChange }
        await change { setup in
            if let unit { setup.unit = unit }
            if wanted.channel != nil { setup.channel = channel }
        }
        return .json(document(await shared.reading))
    }

    private func forgetAbsorbance(_: Call) async -> HTTPResponse {
        var before = document(await shared.reading)
        await change { $0 = AbsorbanceSetup() }
        before.problem = shared.absorbance.problem
        return .json(before)
    }

    private func setLight(_ light: LightPath, _ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(
            LightRequest.self, keys: ["readings", "everywhere", "probe"], orRefuse: .badLight)
        var (record, reading) = try await measure(wanted.readings, everywhere: false, call)
        if wanted.everywhere == true || wanted.probe != nil {
            let spot = try spot(of: wanted.probe, in: record, reading)
            record = LightRecord(
                time: record.time, readings: record.readings, conditions: record.conditions, everywhere: true,
                spots: [spot])
        }
        if light == \.blank, let blank = record.spots.first {
            let own = Absorbance(of: blank.light, blank: blank.light, dark: nil)
            guard own.isDefined else { throw HTTPError.refused(own.refusals.joined(separator: " ")) }
        }
        await change { $0[keyPath: light] = record }
        return .json(document(reading))
    }

    private func removeLight(_ light: LightPath) async -> HTTPResponse {
        await change { $0[keyPath: light] = nil }
        return .json(document(await shared.reading))
    }

    private func setStandard(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(
            StandardRequest.self, keys: ["concentration", "readings", "probe", "absorbance"], orRefuse: .badStandard)
        let name = try checkedName(of: call)
        guard let blank = shared.absorbance.latest.value?.blank else {
            throw HTTPError.refused("Set the blank first, with PUT /api/absorbance/blank.")
        }
        guard standards.hasRoom(for: name) else { throw HTTPError.tooManyStandards }
        var standard = AbsorbanceSetup.Standard(
            name: name, concentration: wanted.concentration,
            absorbance: wanted.absorbance ?? Absorbance(channels: Channels(all: nil)),
            camera: blank.conditions.camera, time: shared.clocks.date().timestamp)
        guard standard.isValid else { throw HTTPError.badStandard }
        if wanted.absorbance == nil {
            let (record, reading) = try await measure(wanted.readings, everywhere: false, call)
            let spot = try spot(of: wanted.probe, in: record, reading)
            // The blank may have been measured anew meanwhile.
            guard let setup = shared.absorbance.latest.value,
                let absorbance = setup.obstacle(under: record.conditions).map(Absorbance.init(refusal:))
                    ?? setup.absorbance(of: spot.light, in: spot.region)
            else { throw HTTPError.refused("The blank was removed while the standard was being measured.") }
            guard absorbance.isDefined else {
                throw HTTPError.refused(absorbance.refusals.joined(separator: " "))
            }
            standard.absorbance = Absorbance(channels: absorbance.channels)
            standard.camera = record.conditions.camera
        }
        guard standard.absorbance.isDefined, standard.isValid else { throw HTTPError.badStandard }
        let status = try await standards.set(standard)
        return .json(document(await shared.reading), status: status)
    }

    /// Changes the setup at once, whatever other clients do, and waits for the disk.
    private func change(_ change: (inout AbsorbanceSetup) -> Void) async {
        shared.absorbance.latest.update { setup in
            var changed = setup ?? AbsorbanceSetup()
            change(&changed)
            setup = changed == AbsorbanceSetup() ? nil : changed
        }
        shared.revisions.update { $0.absorbance += 1 }
        await shared.absorbance.save()
    }

    /// Measures the light of the region and of each probe, with the conditions.
    private func measure(
        _ count: Int?, everywhere: Bool, _ call: Call
    ) async throws -> (LightRecord, Reading) {
        let count = count ?? Sample.defaultReadings
        guard Self.readingCounts ~= count else { throw HTTPError.badLight }
        let collector = try await measuring.collect(count, for: call)
        guard let reading = collector.newest, let spots = collector.spots() else {
            throw HTTPError.refused("A reading has no light. Measure it again.")
        }
        guard let conditions = reading.conditions(shared.influence.value) else {
            throw HTTPError.unknownControls
        }
        let record = LightRecord(
            time: reading.time.timestamp, readings: count, conditions: conditions.mapTexts { $0.sanitized() },
            everywhere: everywhere, spots: spots)
        return (record, reading)
    }

    /// Returns the spot of the probe of this name in a record, or of the region if there is no name.
    private func spot(
        of name: String?, in record: LightRecord, _ reading: Reading
    ) throws(HTTPError) -> LightRecord.Spot {
        var region = reading.region.coordinates
        if let name {
            guard let color = reading.probes.first(where: { $0.probe.name == Name(name) }) else {
                throw .refused("There is no probe of this name. /api/probes lists them.")
            }
            region = color.probe.region.coordinates
        }
        guard let spot = record.spots.first(where: { $0.region == region }) else {
            throw .refused("The probe was moved while it was being measured. Measure it again.")
        }
        return spot
    }

    private func checkedName(of call: Call) throws(HTTPError) -> Name {
        do throws(ConfigRejection) {
            return try Config.checkedName(call.decodedName?.text ?? "")
        } catch {
            throw standards.refusal(error)
        }
    }

    private func document(_ reading: Reading) -> AbsorbanceDocument {
        AbsorbanceDocument(
            shared.absorbance.latest.value ?? AbsorbanceSetup(), reading, shared.influence.value,
            problem: shared.absorbance.problem)
    }
}

private struct AbsorbanceRequest: Decodable {
    var unit: String?
    var channel: String?
}

private struct LightRequest: Decodable {
    var readings: Int?
    var everywhere: Bool?
    /// The name of the probe whose light counts everywhere.
    var probe: String?
}

private struct StandardRequest: Decodable {
    var concentration: Double
    var readings: Int?
    /// The name of the probe that measures it.
    var probe: String?
    var absorbance: Absorbance?
}

extension HTTPError {
    fileprivate static let tooManyStandards = conflict(
        code: "standards-full", "There are \(AbsorbanceSetup.maxStandards) standards, which is the limit. Delete some.")

    /// The measurement does not allow an absorbance: a sentence.
    fileprivate static func refused(_ message: String) -> HTTPError { conflict(code: "absorbance-refused", message) }

    fileprivate static let badAbsorbanceChange = badAbsorbance(
        "Send a JSON object such as {\"unit\": \"mg/L\", \"channel\": \"green\"}; both keys are optional. A unit has "
            + "at most 20 printable characters, and the channel is red, green, blue or best.")

    fileprivate static let badLight = badAbsorbance(
        "Send a JSON object such as {\"readings\": 16, \"everywhere\": false}, in which \"probe\" may name a probe. All "
            + "keys are optional, and readings must be in \(SampleCollector.minCountWithError)..."
            + "\(Sample.readingCounts.upperBound).")

    fileprivate static let badStandard = badAbsorbance(
        "Send a JSON object such as {\"concentration\": 2.5, \"readings\": 16}, in which \"probe\" may name a probe. "
            + "A concentration is 0 or 1e-12 to 1e12. The name is in the address.")

    private static func badAbsorbance(_ message: String) -> HTTPError { badRequest(code: "bad-absorbance", message) }
}
