import Capture
import Color
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Pixels
import Readings
import Untrusted

/// Absorbance and concentration: the blank, the dark and the standards.
extension WebApp {
    /// The blank or the dark.
    typealias LightPath = any WritableKeyPath<AbsorbanceSetup, LightRecord?> & Sendable
    /// The maximum number of characters in a unit.
    private static let maxUnitLength = 20
    private static let readingCounts = SampleCollector.minCountWithError...Sample.readingCounts.upperBound

    /// Handles `GET /api/absorbance`.
    func showAbsorbance(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let reading = await shared.reading
        let version = "\(reading.sequence) \(shared.absorbance.latest.revision) \(shared.absorbance.problem ?? "")"
        let answer = Document(key: "/api/absorbance", version: version) { JSONText.data(of: document(reading)) }
        return try await send(answer, to: principal.key, request)
    }

    /// Handles `PUT /api/absorbance` with a unit, the channel of the curve, or both.
    func changeAbsorbance(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try await request.json(
            AbsorbanceRequest.self, keys: ["unit", "channel"], orRefuse: .badAbsorbanceChange)
        let unit = wanted.unit?.trimmed
        let channel = wanted.channel.flatMap(StandardCurve.Channel.init(rawValue:))
        guard unit.map({ $0.unicodeScalars.count <= Self.maxUnitLength && $0.sanitized() == $0 }) != false,
            wanted.channel == nil || wanted.channel == "best" || channel != nil
        else { throw HTTPError.badAbsorbanceChange }
        change { setup in
            if let unit { setup.unit = unit }
            if wanted.channel != nil { setup.channel = channel }
        }
        await shared.absorbance.save()
        return .json(document(await shared.reading))
    }

    /// Handles `DELETE /api/absorbance`, which removes everything, and answers with the document as it was.
    func forgetAbsorbance() async -> HTTPResponse {
        var before = document(await shared.reading)
        change { $0 = AbsorbanceSetup() }
        await shared.absorbance.save()
        before.problem = shared.absorbance.problem
        return .json(before)
    }

    /// Returns what the path of the blank or of the dark offers.
    func lightRoute(_ light: LightPath) -> Route {
        Route([
            .PUT: Handler { try await setLight(light, $0, $1) }, .DELETE: Handler { await removeLight(light) },
        ])
    }

    /// Handles `PUT /api/absorbance/blank` and `PUT /api/absorbance/dark` with `{"readings": ..., "everywhere": ...}`, both
    /// of them optional. The response follows when all readings have arrived.
    func setLight(
        _ light: LightPath, _ request: HTTPRequest,
        _ principal: Principal
    ) async throws -> HTTPResponse {
        let wanted = try await request.json(
            LightRequest.self, keys: ["readings", "everywhere"], orRefuse: .badLight)
        let (record, reading) = try await measure(wanted.readings, wanted.everywhere ?? false, request, principal)
        if light == \.blank, let blank = record.spots.first {
            let own = Absorbance(of: blank.light, blank: blank.light, dark: nil)
            guard own.isDefined else { throw HTTPError.refused(own.refusals.joined(separator: " ")) }
        }
        change { $0[keyPath: light] = record }
        await shared.absorbance.save()
        return .json(document(reading))
    }

    /// Handles `DELETE /api/absorbance/blank` and `DELETE /api/absorbance/dark`.
    func removeLight(_ light: LightPath) async -> HTTPResponse {
        change { $0[keyPath: light] = nil }
        await shared.absorbance.save()
        return .json(document(await shared.reading))
    }

    /// Handles `PUT /api/absorbance/standards/{name}` with a concentration. The sample in the region is measured, or that
    /// in the region of a probe, unless its absorbance is there too.
    func setStandard(_ name: Substring, _ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let wanted = try await request.json(
            StandardRequest.self, keys: ["concentration", "readings", "probe", "absorbance"], orRefuse: .badStandard)
        let name = try checkedName(name)
        let setup = shared.absorbance.latest.value
        guard let blank = setup?.blank else {
            throw HTTPError.refused("Set the blank first, with PUT /api/absorbance/blank.")
        }
        guard setup?.standards.count ?? 0 < AbsorbanceSetup.maxStandards || setup?.standard(name) != nil else {
            throw HTTPError.tooManyStandards
        }
        var standard = AbsorbanceSetup.Standard(
            name: name, concentration: wanted.concentration,
            absorbance: wanted.absorbance ?? Absorbance(channels: Channels(all: nil)),
            camera: blank.conditions.camera, time: shared.clocks.date().timestamp)
        guard standard.isValid else { throw HTTPError.badStandard }
        if wanted.absorbance == nil {
            let (record, reading) = try await measure(wanted.readings, false, request, principal)
            let probe = try wanted.probe.map { name in
                guard let color = reading.probes.first(where: { $0.probe.name == Name(name) }) else {
                    throw HTTPError.refused("There is no probe of this name. /api/probes lists them.")
                }
                return color.probe.region.coordinates
            }
            guard let light = probe.map(record.light(in:)) ?? record.spots.first?.light else {
                throw HTTPError.refused("The probe was moved while it was being measured. Measure it again.")
            }
            // The blank may have been measured anew meanwhile.
            guard let setup = shared.absorbance.latest.value,
                let absorbance = setup.obstacle(under: record.conditions).map(Absorbance.init(refusal:))
                    ?? setup.absorbance(of: light, in: probe ?? reading.region.coordinates)
            else { throw HTTPError.refused("The blank was removed while the standard was being measured.") }
            guard absorbance.isDefined else {
                throw HTTPError.refused(absorbance.refusals.joined(separator: " "))
            }
            standard.absorbance = Absorbance(channels: absorbance.channels)
            standard.camera = record.conditions.camera
        }
        guard standard.absorbance.isDefined, standard.isValid else { throw HTTPError.badStandard }
        var isNew: Bool?
        change { setup in
            if let index = setup.standards.firstIndex(where: { $0.name == name }) {
                setup.standards[index] = standard
                isNew = false
            } else if setup.standards.count < AbsorbanceSetup.maxStandards {
                setup.standards.append(standard)
                isNew = true
            }
        }
        guard let isNew else { throw HTTPError.tooManyStandards }
        await shared.absorbance.save()
        return .json(document(await shared.reading), status: isNew ? .created : .ok)
    }

    /// Handles `DELETE /api/absorbance/standards/{name}`, which answers with the deleted standard.
    func deleteStandard(_ name: Substring) async throws -> HTTPResponse {
        let name = Self.decoded(name)
        var deleted: AbsorbanceSetup.Standard?
        change { setup in
            guard let index = setup.standards.firstIndex(where: { $0.name == name }) else { return }
            deleted = setup.standards.remove(at: index)
        }
        guard let deleted else { throw HTTPError.noStandard }
        await shared.absorbance.save()
        return .json(Stored(deleted, problem: shared.absorbance.problem))
    }

    /// Changes the setup at once, whatever other clients do.
    private func change(_ change: (inout AbsorbanceSetup) -> Void) {
        shared.absorbance.latest.update { setup in
            var changed = setup ?? AbsorbanceSetup()
            change(&changed)
            setup = changed == AbsorbanceSetup() ? nil : changed
        }
        shared.revisions.update { $0.absorbance += 1 }
    }

    /// Measures the light of the region and of each probe, with the conditions.
    private func measure(
        _ count: Int?, _ everywhere: Bool, _ request: HTTPRequest, _ principal: Principal
    ) async throws -> (LightRecord, Reading) {
        let count = count ?? Sample.defaultReadings
        guard Self.readingCounts ~= count else { throw HTTPError.badLight }
        let collector = try await collect(count, request, principal)
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

    private func checkedName(_ name: Substring) throws -> Name {
        do throws(ConfigRejection) {
            return try Config.checkedName(Self.decoded(name)?.text ?? "")
        } catch {
            throw HTTPError.badStandard("\(error.message)")
        }
    }

    private func document(_ reading: Reading) -> AbsorbanceDocument {
        AbsorbanceDocument(
            shared.absorbance.latest.value ?? AbsorbanceSetup(), reading, shared.influence.value,
            problem: shared.absorbance.problem)
    }
}

extension AbsorbanceSetup {
    fileprivate func standard(_ name: Name) -> Standard? { standards.first { $0.name == name } }
}

private struct AbsorbanceRequest: Decodable {
    var unit: String?
    var channel: String?
}

private struct LightRequest: Decodable {
    var readings: Int?
    var everywhere: Bool?
}

private struct StandardRequest: Decodable {
    var concentration: Double
    var readings: Int?
    /// The name of the probe that measures it.
    var probe: String?
    var absorbance: Absorbance?
}

extension HTTPError {
    fileprivate static let noStandard = notFound(
        code: "standard-not-found", "There is no such standard. /api/absorbance lists them.")

    fileprivate static let tooManyStandards = conflict(
        code: "standards-full", "There are \(AbsorbanceSetup.maxStandards) standards, which is the limit. Delete some.")

    /// The measurement does not allow an absorbance: a sentence.
    fileprivate static func refused(_ message: String) -> HTTPError { conflict(code: "absorbance-refused", message) }

    fileprivate static let badAbsorbanceChange = badAbsorbance(
        "Send a JSON object such as {\"unit\": \"mg/L\", \"channel\": \"green\"}; both keys are optional. A unit has at most "
            + "20 printable characters, and the channel is red, green, blue or best.")

    fileprivate static let badLight = badAbsorbance(
        "Send a JSON object such as {\"readings\": 16, \"everywhere\": false}; both keys are optional, and readings must be "
            + "in \(SampleCollector.minCountWithError)...\(Sample.readingCounts.upperBound).")

    fileprivate static let badStandard = badStandard(
        "Send a JSON object such as {\"concentration\": 2.5, \"readings\": 16}, in which \"probe\" may name a probe. A "
            + "concentration is 0 or 1e-12 to 1e12. The name is in the address.")

    fileprivate static func badStandard(_ message: String) -> HTTPError { badAbsorbance(message) }

    private static func badAbsorbance(_ message: String) -> HTTPError { badRequest(code: "bad-absorbance", message) }
}
