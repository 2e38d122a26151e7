import Configuration
import FlyingFox
import Handoff
import Metrology
import Pixels
import Readings
import State

/// The measurement of many areas at once.
struct PatchRoutes: Sendable {
    /// The maximum number of areas: a flat has 16x12.
    fileprivate static let maxAreas = 192
    /// The maximum number of values in a request, including names.
    private static let maxPatchValues = 2 * 5 * maxAreas
    /// What the areas may cover in all, in pictures: the work for a frame is bounded, however large they are.
    private static let maxCoverage = 1.001

    let shared: SharedState
    let measuring: Measuring

    var routes: [Route] {
        [
            Route(.POST, "/api/patches", "Measure many areas at once", measurePatches)
                .described(
                    "measurePatches",
                    "Measures areas of the frames that are captured after the request, one reading of each frame, "
                        + "without changing the region or the probes. The response comes when all readings have been "
                        + "made, and has what `PUT /api/calibration` takes. One such request is served at a time.",
                    takes: .json("PatchOrder"),
                    .ok("The measurements, in the order of the areas.", "Patches"),
                    .refusal(
                        409,
                        "The camera, its format, a control, the configuration or the picture changed meanwhile "
                            + "(`sample-interrupted`)."),
                    .refusal(
                        503,
                        "There is no colour (`code` is the state of the reading), the frames have not arrived in "
                            + "time, another request is being served, or Swatchcam is stopping."))
        ]
    }

    private func measurePatches(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(
            PatchRequest.self, keys: ["areas", "readings"], maxValues: Self.maxPatchValues, orRefuse: .badPatches)
        let count = wanted.readings ?? PatchMeasurement.minReadings
        let areas = wanted.areas.compactMap { area in
            try? ConfigCodec<Region>.region.decode(.list(area.map { .float($0) }), "")
        }
        let coverage = areas.reduce(0) { $0 + $1.width * $1.height }
        guard 1...Self.maxAreas ~= areas.count, areas.count == wanted.areas.count, coverage <= Self.maxCoverage,
            Sample.readingCounts ~= count
        else { throw HTTPError.badPatches }
        let measurements = try await measuring.measure(
            for: call, in: measuring.shares.patches, orRefuse: .patchesUnderWay
        ) { clientIsGone, isAdmitted throws(MeasuringRefusal) in
            // The newest reading may be a minute old.
            _ = await shared.reading
            return try await shared.measure(areas, of: count, until: clientIsGone, isAdmitted: isAdmitted)
        }
        return .json(measurements)
    }
}

private struct PatchRequest: Decodable {
    var areas: [[Double]]
    var readings: Int?
}

extension HTTPError {
    fileprivate static let badPatches = badRequest(
        code: "bad-patches",
        "Send a JSON object such as {\"areas\": [[0.1, 0.1, 0.05, 0.05]], \"readings\": 16}: at most "
            + "\(PatchRoutes.maxAreas) areas in the picture, which together are no larger than it, and 1 to 256 "
            + "readings, 16 if omitted.")

    fileprivate static let patchesUnderWay = unavailable(
        code: "too-many-patches", "Patches are being measured for another request. Try again when they are complete.",
        retryAfter: 1)
}
