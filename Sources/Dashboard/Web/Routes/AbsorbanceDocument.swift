package import Documents
package import Metrology
import Pixels
import Readings

/// The document of `/api/absorbance`.
struct AbsorbanceDocument: JSONFields {
    private let setup: AbsorbanceSetup
    private let solution: Reading.Solution?
    /// The standards, each with what remains above the line; nil without a curve, or an absorbance in its channel.
    private let standards: [(standard: AbsorbanceSetup.Standard, residual: Double?)]
    private let curve: StandardCurve?
    private let reason: String?
    var problem: String?

    init(_ setup: AbsorbanceSetup, _ reading: Reading, _ influence: ControlInfluence, problem: String?) {
        (self.setup, self.problem) = (setup, problem)
        solution = reading.solution(by: setup, influence)
        switch setup.curve {
        case .fitted(let fitted): (curve, reason) = (fitted, fitted.obstacle)
        case .refused(let refusal): (curve, reason) = (nil, refusal.message)
        case nil: (curve, reason) = (nil, nil)
        }
        var residuals = curve.map { Array($0.line.residuals.reversed()) } ?? []
        let channel = curve?.channel
        standards = setup.standards.map { standard in
            // The residuals are those of the standards with an absorbance in the channel, in their order.
            (standard, channel?.figure(of: standard.absorbance).flatMap { _ in residuals.popLast() })
        }
    }

    static let fields: JSONFieldList<Self> = [
        .value(
            "because", .string.orNull,
            "Why it, or a channel, has none; null without a blank, or if all have one."
        ) { $0.solution?.because },
        .value("blank", .component("MeasuredLight").orNull) { MeasuredLight($0.setup.blank) },
        .value(
            "channel", .words(of: StandardCurve.Channel.self).orNull,
            "The channel that was chosen; null for that with the best signal."
        ) { $0.setup.channel?.rawValue },
        .objectOrNull(
            "curve", "The straight line from concentrations to absorbances, by weighted least squares.",
            StandardCurve.fields
        ) { $0.curve },
        .value("dark", .component("MeasuredLight").orNull) { MeasuredLight($0.setup.dark) },
        .value("inForce", .boolean, "Whether the region has an absorbance now.") {
            $0.solution?.absorbance.isDefined ?? false
        },
        .value("problem", .string.orNull, "Why all this will be lost when Swatchcam stops; null if it will not.") {
            $0.problem
        },
        .value(
            "reason", .string.orNull, "Why there is no curve, or why it gives no concentration; null without standards."
        ) { $0.reason },
        JSONField("standards", .array(of: .component("MeasuredStandard"), 0...AbsorbanceSetup.maxStandards)) {
            json, document in
            json.field("standards", ofEach: document.standards) { json, item in
                for field in AbsorbanceSetup.Standard.listed { field.write(&json, item) }
            }
        },
        .value("unit", .string(0...20)) { $0.setup.unit },
    ]
}

extension StandardCurve {
    fileprivate static let fields: JSONFieldList<StandardCurve> = [
        .value(
            "bent", .boolean.orNull,
            "Whether the standards certainly bend, by more than 1 % of their rise; null with fewer than four."
        ) { $0.linearity?.isBent },
        .value("channel", .words(of: Channel.self)) { $0.channel.rawValue },
        .value("degreesOfFreedom", .number(from: 1)) { $0.line.degreesOfFreedom },
        .objectOrNull(
            "detectionLimit", "Null if the standards do not scatter, so that nothing is known of the blank's scatter.",
            [
                .value("absorbance", .number) { $0.absorbance },
                .value("concentration", .number(from: 0), "3.3 `deviation` / slope (ICH Q2).") { $0.concentration },
                .value(
                    "deviation", .number(from: 0),
                    "The standard deviation of a blank, and at least the standard error of its measurement."
                ) { $0.deviation },
                .value(
                    "fromBlanks", .boolean,
                    "Whether it is the scatter of six blanks or more; otherwise it is that about the line."
                ) { $0.isFromBlanks },
            ]
        ) { $0.detectionLimit },
        .value("intercept", .number) { $0.line.intercept },
        .value("interceptError", .number(from: 0)) { $0.line.interceptError },
        .value("rSquared", .number(0...1)) { $0.line.rSquared },
        .value("slope", .number) { $0.line.slope },
        .value("slopeError", .number(from: 0)) { $0.line.slopeError },
        .value("warning", .string.orNull, "How it bends, and what to do.") { $0.warning },
    ]
}

extension AbsorbanceSetup.Standard: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .encoded("absorbance", .component("Absorbance")) { $0.absorbance },
        .value("camera", .string, "The id of the camera.") { $0.camera },
        .value("concentration", .number(from: 0)) { $0.concentration },
        .value("name", .component("TargetName")) { $0.name },
        .value("time", .time) { $0.time },
    ]

    /// The fields in a list of standards with their residuals.
    fileprivate static let listed = JSONFieldList<(standard: Self, residual: Double?)>(
        fields.map { $0.of(\.standard) } + [.value("residual", .number.orNull) { $0.residual }])

    /// A standard in a list or in an answer.
    static let description = JSONSchema.object(
        (fields.map(\.property) + [
            .optional(
                "problem", .string.orNull,
                "Why the change will be forgotten when the program ends; null if it is kept. Only the answer to DELETE "
                    + "has it."),
            .optional(
                "residual", .number.orNull,
                "The absorbance above the line; null without a curve. Only a list has it."),
        ]).sorted { $0.key < $1.key })
}

/// The light of the blank, or of darkness.
struct MeasuredLight: JSONFields {
    private let record: LightRecord
    private let spot: LightRecord.Spot

    /// - Returns: Nil without a record.
    init?(_ record: LightRecord?) {
        guard let record, let spot = record.spots.first else { return nil }
        (self.record, self.spot) = (record, spot)
    }

    static let fields: JSONFieldList<Self> = [
        .encoded("conditions", .component("CalibrationConditions")) { $0.record.conditions },
        .value("everywhere", .boolean) { $0.record.everywhere },
        .encoded("light", .component("Light")) { $0.spot.light.light },
        .value("probes", .integer(0...Probe.maxCount), "The number of probes whose own light was measured.") {
            $0.record.spots.count - 1
        },
        .value("readings", .integer(from: 8)) { $0.record.readings },
        .value("region", .component("Region")) { $0.spot.region },
        .encoded("standardError", .component("Light")) { $0.spot.light.standardError },
        .value("time", .time) { $0.record.time },
    ]
}
