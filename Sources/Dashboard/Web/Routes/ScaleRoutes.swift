import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Readings
import State
import Storage

/// Scales: listing, setting, deleting and reading them.
struct ScaleRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender
    /// The limiter of marks, because each time a scale is read sets one.
    let limiter: NetworkRateLimiter

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
                    .object([.init("scales", .array(of: .component("Scale"), 0...NamedScale.maxCount))]))),
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
                .refusal(409, "There are \(NamedScale.maxCount) scales.")),
            Route(.DELETE, "/api/scales/{name}", parameters: [.item("a scale")], "Delete a scale", scales.delete)
                .described(
                    "deleteScale", isAlwaysReady: true,
                    .ok("The deleted scale.", "Scale"),
                    .refusal(404, "There is no such scale.")),
            Route(
                .POST, "/api/scales/{name}/read", parameters: [.item("a scale")], "Read a scale after a time",
                startTimer
            )
            .described(
                "readScale",
                "Waits for `after` seconds, then takes a sample, which has the value on the scale. The end is an event, whose "
                    + "picture the sample has too. It is answered at once, and the wait continues after a restart. If one "
                    + "is under way for the scale, it begins again.",
                takes: .json("ScaleTimerOrder"),
                .accepted("The wait.", "ScaleTimer"),
                .refusal(404, "There is no such scale."),
                .refusal(409, "The scale is being read (`scale-busy`)."),
                .refusal(
                    429, "Too many marks (`too-many-marks`), or too many wrong tokens, came from this address.",
                    headers: [.retryAfter]),
                .refusal(
                    503, "All clients together have set too many marks (`too-many-marks`).", headers: [.retryAfter])),
            Route(.DELETE, "/api/scales/{name}/read", parameters: [.item("a scale")], "Do not read a scale", stopTimer)
                .described(
                    "cancelScale", isAlwaysReady: true,
                    .ok("The wait, which has ended.", "ScaleTimer"),
                    .refusal(404, "There is no such scale, or nobody waits for it (`timer-not-found`).")),
        ]
    }

    private func startTimer(_ call: Call) async throws -> HTTPResponse {
        let scale = try scales.item(call)
        let order = try await call.json(TimerOrder.self, keys: ["after", "readings"], orRefuse: .badTimer)
        let (after, readings) = (order.after ?? 0, order.readings ?? Sample.defaultReadings)
        guard ScaleTimer.waits ~= after, Sample.readingCounts ~= readings else { throw HTTPError.badTimer }
        try limiter.takePlaceOfMark(for: call)
        // Those of scales that were deleted end here, so that there are never more than scales.
        let names = Set(scales.items().map(\.name))
        let now = shared.clocks.date()
        let timer = ScaleTimer(name: scale.name, after: after, readings: readings, due: now + after)
        var isBusy = false
        shared.scaleTimers.latest.update { timers in
            let others = (timers ?? []).filter { names.contains($0.name) }
            isBusy = others.contains { $0.name == timer.name && $0.due <= now }
            if !isBusy { timers = others.filter { $0.name != timer.name } + [timer] }
        }
        guard !isBusy else {
            throw HTTPError.conflict(
                code: "scale-busy", "The scale is being read. Its sample is complete in a few seconds.")
        }
        return await document(timer, status: .accepted)
    }

    private func stopTimer(_ call: Call) async throws -> HTTPResponse {
        let scale = try scales.item(call)
        var stopped: ScaleTimer?
        shared.scaleTimers.latest.update { timers in
            stopped = timers?.first { $0.name == scale.name }
            timers?.removeAll { $0.name == scale.name }
        }
        guard let stopped else {
            throw HTTPError.notFound(code: "timer-not-found", "Nobody waits for this scale.")
        }
        return await document(stopped)
    }

    private func document(_ timer: ScaleTimer, status: HTTPStatusCode = .ok) async -> HTTPResponse {
        await shared.scaleTimers.save()
        return .json(Stored(timer, problem: shared.scaleTimers.problem), status: status)
    }

    private var scales: NamedItems<Config.Scale> {
        NamedItems(
            \.scales, of: shared,
            missing: .notFound(code: "scale-not-found", "There is no such scale. /api/scales lists them."),
            full: .conflict(
                code: "scales-full", "There are \(NamedScale.maxCount) scales, which is the limit. Delete some."),
            malformed: .badRequest(
                code: "bad-scale",
                "Send a JSON object with points such as {\"points\": [{\"value\": 6, \"color\": \"#E8C34A\"}, …]}, of which "
                    + "there are \(ColorScale.counts.lowerBound) to \(ColorScale.counts.upperBound), and with unit, probe "
                    + "and tolerance if they are wanted. The name is in the address."))
    }
}

private struct TimerOrder: Decodable {
    var after: Double?
    var readings: Int?
}

extension HTTPError {
    fileprivate static let badTimer = badRequest(
        code: "bad-timer",
        "Send a JSON object such as {\"after\": 60}, with up to \(Int(ScaleTimer.waits.upperBound)) seconds, and readings of "
            + "\(Sample.readingCounts.lowerBound) to \(Sample.readingCounts.upperBound) if they are wanted.")
}
