import Capture
import Configuration
import FlyingFox
import Handoff
import Metrology
import Pixels
import Readings

/// The measurement of many areas at once.
extension WebApp {
    /// The maximum number of areas: a flat has 16x12.
    fileprivate static let maxAreas = 192
    /// The maximum number of values in a request, including names.
    private static let maxPatchValues = 2 * 5 * maxAreas
    /// What the areas may cover in all, in pictures: the work for a frame is bounded, however large they are.
    private static let maxCoverage = 1.001

    /// Handles `POST /api/patches` with `{"areas": [[x, y, width, height], ...], "readings": ...}`, of which the second
    /// is optional. The response follows when all readings have been made, one of each frame.
    func measurePatches(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let wanted = try await request.json(
            PatchRequest.self, keys: ["areas", "readings"], maxValues: Self.maxPatchValues, orRefuse: .badPatches)
        let count = wanted.readings ?? PatchMeasurement.minReadings
        let areas = wanted.areas.compactMap { area in
            try? ConfigCodec<Region>.region.decode(.list(area.map { .float($0) }), "")
        }
        let coverage = areas.reduce(0) { $0 + $1.width * $1.height }
        guard 1...Self.maxAreas ~= areas.count, areas.count == wanted.areas.count, coverage <= Self.maxCoverage,
            Sample.readingCounts ~= count
        else { throw HTTPError.badPatches }
        guard let place = patches.begin(for: principal.key) else { throw HTTPError.patchesUnderWay }
        defer { withExtendedLifetime(place) {} }
        // The newest reading may be a minute old.
        _ = await shared.reading
        do throws(SampleRefusal) {
            return .json(
                try await shared.measure(
                    areas, of: count, until: clientIsGone(request), isAdmitted: { access.stillAdmits(principal) }))
        } catch {
            throw HTTPError(error)
        }
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
            + "\(WebApp.maxAreas) areas in the picture, which together are no larger than it, and 1 to 256 readings, 16 if "
            + "omitted.")

    fileprivate static let patchesUnderWay = unavailable(
        code: "too-many-patches", "Patches are being measured for another request. Try again when they are complete.",
        retryAfter: 1)
}
