import Color
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Metrology
import Palettes
import Readings
import State
import Storage
import Untrusted

/// The calibration of the camera in use.
struct CalibrationRoutes: Sendable {
    let shared: SharedState
    let documents: DocumentSender

    /// The maximum number of values in a calibration, including names: a flat of 16x12 cells has 5,000, and 500 patches
    /// have 22,000.
    private static let maxCalibrationValues = 40_000

    var routes: [Route] {
        [
            Route(.GET, "/api/calibration", "The calibration of the camera in use", showCalibration)
                .described(
                    "getCalibration", isAlwaysReady: true,
                    .ok("The calibration, and whether it is in force.", "CalibrationState")),
            Route(
                .PUT, "/api/calibration", maxBodyLength: RequestGuard.maxChartLength, "Calibrate the camera in use",
                calibrate
            )
            .described(
                "calibrate",
                "A calibration is computed from measurements, for the present conditions, or taken as it is. It is "
                    + "kept, and replaces that of the same camera. /usr/share/doc/swatchcam/calibration.md says what "
                    + "is measured and computed.",
                takes: .json("CalibrationOrder"),
                .ok("The new calibration.", "CalibrationState"),
                .refusal(
                    409,
                    "The calibration in force is better (`calibration-worse`). With `force`, it is replaced "
                        + "nevertheless.")),
            Route(.DELETE, "/api/calibration", "Remove the calibration of the camera in use", removeCalibration)
                .described(
                    "removeCalibration",
                    .ok("What was removed.", "CalibrationState"),
                    .refusal(404, "The camera in use has no calibration (`calibration-not-found`).")),
            Route(.GET, "/api/chart", "The colours of a ColorChecker Classic") { _ in
                .json(ChartDocument(.colorChecker))
            }
            .described("getChart", isAlwaysReady: true, .ok("The 24 patches, row by row, in six columns.", "Chart")),
            Route(
                .POST, "/api/chart", maxBodyLength: RequestGuard.maxChartLength,
                "Read a file with the colours of a chart", readChart
            )
            .described(
                "readChart",
                "The body is the content of a file as for `/api/palette`, with up to 500 colours. It is not kept.",
                takes: .file(#"^[A-Za-z]{1,20},[1-9][0-9]\.5,-[1-9]\.5,[1-9]\.5$"#, example: "Leaf,43.5,-7.5,2.5"),
                .ok("The patches, in the order of the file.", "Chart")),
        ]
    }

    private func showCalibration(_ call: Call) async throws -> HTTPResponse {
        try await documents.send(call.route.path, to: call) {
            let reading = await shared.reading
            let camera = reading.camera?.id
            let version = [
                String(decoding: JSONText.data(of: reading.conditions(shared.influence.value)), as: UTF8.self),
                camera ?? "",
                "\(shared.calibrations.calibrations.revision)", shared.calibrations.problem ?? "",
            ].joined(separator: " ")
            return Document(key: $0, version: version) { JSONWriter.data(content(of: camera, reading)) }
        }
    }

    private func calibrate(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(
            CalibrationRequest.self, keys: ["calibration", "force", "measurements"],
            maxValues: Self.maxCalibrationValues, orRefuse: .badCalibrationRequest)
        guard (wanted.calibration == nil) != (wanted.measurements == nil),
            wanted.calibration.map({ Date.isTimestamp($0.time) }) != false
        else {
            throw HTTPError.badCalibrationRequest
        }
        let reading = await shared.reading
        guard reading.state.hasColor, let camera = reading.camera?.id else {
            throw HTTPError.unavailable(code: reading.state.rawValue, reading.message ?? "There is no colour now.")
        }
        var calibration = wanted.calibration
        if let measurements = wanted.measurements {
            guard let conditions = reading.conditions(shared.influence.value) else {
                throw HTTPError.unknownControls
            }
            do throws(MeasurementRefusal) {
                calibration = try Calibration(measurements, conditions: conditions, time: reading.time.timestamp)
            } catch {
                throw HTTPError.badCalibration(error.message.sanitized(limit: 1000))
            }
            if wanted.force != true, let present = shared.calibrations.calibrations.value[camera],
                present.differences(from: conditions).isEmpty,
                let objection = calibration?.objection(against: present, measurements)
            {
                throw HTTPError.conflict(
                    code: "calibration-worse", "\(objection) Measure again, or insist that this one replaces it.")
            }
        }
        guard let calibration = calibration?.sanitized, calibration.conditions.camera == camera else {
            throw HTTPError.badCalibration("This calibration is that of another camera.")
        }
        guard await shared.calibrations.store(calibration) else {
            throw HTTPError.badCalibration(
                "\(CalibrationStore.maxCount) cameras have a calibration, which is the limit. Remove one.")
        }
        return .json(content(of: camera, reading))
    }

    private func removeCalibration(_: Call) async throws -> HTTPResponse {
        let reading = await shared.reading
        guard let camera = reading.camera?.id else {
            throw HTTPError.unavailable(code: reading.state.rawValue, reading.message ?? "There is no camera now.")
        }
        guard shared.calibrations.calibrations.value[camera] != nil else {
            throw HTTPError.notFound(code: "calibration-not-found", "The camera in use has no calibration.")
        }
        var removed = content(of: camera, reading)
        await shared.calibrations.remove(camera)
        removed.problem = shared.calibrations.problem
        return .json(removed)
    }

    private func readChart(_ call: Call) async throws -> HTTPResponse {
        let data = try await call.body()
        do {
            let isUrgent = call.principal.key.access == .control
            let palette = try await documents.cache.perform(isUrgent: isUrgent) { try PaletteFile.palette(data) }
            return .json(ChartDocument(try palette.chart(named: ""), note: palette.note))
        } catch let error as PaletteFile.Problem {
            throw HTTPError.badRequest(code: "bad-palette", "This file is not used as a chart: \(error).")
        }
    }

    private func content(of camera: String?, _ reading: Reading) -> CalibrationDocument {
        let calibration = camera.flatMap { shared.calibrations.calibrations.value[$0] }
        let conditions = reading.conditions(shared.influence.value)
        let differences = calibration.flatMap { calibration in
            conditions.map { calibration.differences(from: $0) } ?? ["the controls are not known yet"]
        }
        return CalibrationDocument(
            camera: camera, conditions: conditions, calibration: calibration, differences: differences,
            problem: shared.calibrations.problem)
    }
}

/// The document of a chart.
struct ChartDocument: JSONFields {
    let chart: Chart
    /// A sentence about a guess on which the names depend; nil if there was none.
    let note: String?

    init(_ chart: Chart, note: String? = nil) { (self.chart, self.note) = (chart, note) }

    static let fields: JSONFieldList<Self> = [
        .value("name", .string, "Empty for a file.") { $0.chart.name },
        .value(
            "note", .string.orNull,
            "That the encoding of the file was guessed, so that names may be wrong; null if it was not."
        ) { $0.note },
        .objects(
            "patches", "", count: 1...500,
            [
                .value("hex", .hex, "Clamped if sRGB does not hold the colour.") { RGB($0.lab).rounded.hex },
                .encoded("lab", .component("CalibratedLab")) { $0.lab },
                .value("name", .string(1...100)) { $0.name },
            ]
        ) { $0.chart.patches },
    ]
}

private struct CalibrationRequest: Decodable {
    var measurements: CalibrationMeasurements?
    var calibration: Calibration?
    /// Whether a worse calibration may replace the one in force.
    var force: Bool?
}

struct CalibrationDocument: JSONFields {
    let camera: String?
    let conditions: MeasuringConditions?
    let calibration: Calibration?
    /// What differs from the conditions of the calibration; nil if there is none.
    let differences: [String]?
    var problem: String?

    static let fields: JSONFieldList<Self> = [
        .value(
            "because", .array(of: .string).orNull,
            "What differs from the conditions of the calibration, such as `gain 64 → 80`; null if it is in force, or if "
                + "there is none."
        ) { $0.differences?.isEmpty == false ? $0.differences : nil },
        .encoded("calibration", .component("Calibration").orNull) { $0.calibration },
        .value("camera", .string.orNull, "The id of the camera in use.") { $0.camera },
        .encoded(
            "conditions", .component("CalibrationConditions").orNull,
            "The present conditions; null while they are not known."
        ) { $0.conditions },
        .value("inForce", .boolean) { $0.differences?.isEmpty ?? false },
        .value(
            "problem", .string.orNull, "Why the calibration will be lost when Swatchcam stops; null if it will not."
        ) { $0.problem },
    ]
}

extension HTTPError {
    static let unknownControls = unavailable(
        code: "slow-camera", "The controls of the camera are not known yet. Try again in a second.")

    fileprivate static let badCalibrationRequest = badCalibration(
        "Send a JSON object with measurements or with a calibration, as the description of the API has them.")

    fileprivate static func badCalibration(_ message: String) -> HTTPError {
        badRequest(code: "bad-calibration", message)
    }
}
