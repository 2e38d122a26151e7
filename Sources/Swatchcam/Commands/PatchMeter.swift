import Color
import Configuration
import Dashboard
import FoundationEssentials
import Handoff
import Metrology
import Readings

/// The calibration as the server answers.
struct CalibrationState: Decodable {
    var calibration: Calibration?
    var conditions: MeasuringConditions?
    var problem: String?
}

/// Measurements by the running instance.
struct PatchMeter {
    let instance: RunningInstance
    let token: Token?
    let readings: Int

    /// The time after which the command no longer waits for measurements. A slow camera is refused earlier.
    private static let maxTime = Duration.seconds(3600)

    /// The part of a reading that this command reads.
    private struct Document: Decodable {
        var region: [Double]
    }

    /// The measurements of patches, and the conditions under which they were made.
    private struct Measurements: Decodable {
        var conditions: MeasuringConditions
        var patches: [PatchMeasurement]
    }

    private struct Request: Encodable {
        var areas: [[Double]]
        var readings: Int
    }

    /// Returns the present calibration and conditions.
    func state() async throws -> CalibrationState { try await get("/api/calibration") }

    func calibrate(_ measurements: CalibrationMeasurements, force: Bool) async throws -> CalibrationState {
        let order = CalibrationOrder(measurements: measurements, force: force)
        let response = await instance.client.send(
            "PUT", "/api/calibration", order, within: InstanceClient.timeLimit * 2)
        return try instance.decoded(response)
    }

    /// Measures areas of the picture, and returns the conditions under which it did.
    /// - Parameter areas: The areas; nil for the region.
    func measure(_ areas: [PictureArea]? = nil) async throws -> ([PatchMeasurement], MeasuringConditions) {
        var lists = (areas ?? []).map { [$0.x, $0.y, $0.width, $0.height] }
        if areas == nil {
            let reading: Document = try await get("/api/reading")
            lists = [reading.region]
        }
        let measured: Measurements = try instance.decoded(
            await instance.client.post("/api/patches", Request(areas: lists, readings: readings), within: Self.maxTime))
        guard measured.patches.count == lists.count else { throw instance.failure("another program answers there") }
        return (measured.patches, measured.conditions)
    }

    private func get<Value: Decodable>(_ path: String) async throws -> Value {
        try instance.decoded(await instance.client.get(path, with: token))
    }
}

private struct CalibrationOrder: Encodable {
    var measurements: CalibrationMeasurements
    /// Whether a worse calibration may replace the one in force.
    var force: Bool
}
