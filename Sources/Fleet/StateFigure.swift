import Color
import Documents
import Metrology
import Pixels
import Readings
import Untrusted

/// A key of the message about the colour. From it follow its place in the message, its row in docs/mqtt.md, and its entity
/// in Home Assistant.
struct StateFigure: Sendable {
    /// How Home Assistant shows a figure.
    struct Entity: Sendable {
        var label: String
        var unit: String?
        /// The kind of a number; nil for a word.
        var stateClass: String? = "measurement"
        /// All values that a word can have.
        var options: [String]?
        /// Whether it is about the readings, and not what they measure.
        var isDiagnostic = false
        /// Whether it has a value also while there is no colour.
        var isAlwaysAvailable = false
    }

    let key: String
    /// The key of its entity in Home Assistant.
    let id: String
    /// The end of a sentence, in Markdown.
    let meaning: String
    let entity: Entity?
    /// Writes the key and the value.
    let write: @Sendable (inout JSONWriter, StateMessage) -> Void

    private init(
        _ key: String, _ meaning: String, id: String? = nil, entity: Entity?,
        write: @escaping @Sendable (inout JSONWriter, StateMessage) -> Void
    ) {
        (self.key, self.id, self.meaning, self.entity, self.write) = (key, id ?? key, meaning, entity, write)
    }

    private static func number(
        _ key: String, decimals: Int, _ meaning: String, _ entity: Entity? = nil,
        _ value: @escaping @Sendable (StateMessage) -> Double?
    ) -> Self {
        Self(key, meaning, entity: entity) { $0.field(key, value($1), decimals: decimals) }
    }

    private static func value<Value: JSONWritable & SendableMetatype>(
        _ key: String, _ meaning: String, _ entity: Entity? = nil,
        _ value: @escaping @Sendable (StateMessage) -> Value?
    ) -> Self {
        Self(key, meaning, entity: entity) { $0.field(key, value($1)) }
    }

    /// A figure that follows from the colour.
    private init(_ figure: ColorFigure) {
        let entity =
            switch figure.value {
            // Without a class: "temperature" would be that of the room, which may be converted to another unit.
            case .number(_, let unit, _): Entity(label: figure.longLabel, unit: unit)
            case .word(let words, _): Entity(label: figure.longLabel, stateClass: nil, options: words)
            }
        self.init(
            figure.key, figure.meaning, id: figure.column, entity: entity,
            write: figure.field { (message: StateMessage) in message.color }.write)
    }

    /// All figures, in the order of their keys.
    static let all = (own + ColorFigure.all(in: .broker).map(StateFigure.init)).sorted { $0.key < $1.key }

    private static let own: [StateFigure] = [
        .number(
            "brightness", decimals: 1, "percent, the mean of red, green and blue", .init(label: "Brightness", unit: "%")
        ) { message in
            message.hasColor ? message.reading.brightness.map { 100 * $0 } : nil
        },
        .value("camera", "the name of the camera") { $0.reading.camera?.name.sanitized(limit: 100) },
        .value(
            "concentration",
            "the [concentration](absorbance.md): `value`, the ends `low` and `high` of its interval of 95 %, `unit`, and whether"
                + " it is `belowDetection` or `extrapolated`; null if it is not defined"
        ) { $0.reading.concentration },
        .value("effect", "the effect of the picture; `off` without one") { $0.effect },
        .value("hex", "the colour as `#RRGGBB`") { $0.hasColor ? $0.reading.hex : nil },
        .number(
            "hue", decimals: 1, "the hue of HSL in degrees; null for a grey",
            .init(label: "Hue", unit: "°", stateClass: "measurement_angle")
        ) { message in
            // Of a grey, the hue means nothing.
            guard let hsl = message.color?.hsl, (hsl.saturation * 1000).rounded() > 0 else { return nil }
            return hsl.hue.rounded(decimals: 1) < 360 ? hsl.hue : 0
        },
        .number("lightness", decimals: 1, "CIELAB's L*", .init(label: "Lightness")) { $0.color?.lab.lightness },
        .value("locked", "whether the automatic controls are locked") { $0.isLocked },
        .value("name", "`web.title`, or else the name of the machine") { $0.name },
        .number(
            "noise", decimals: 2, "the noise of the readings in ΔE00; null until there are enough of them",
            .init(label: "Noise", isDiagnostic: true)
        ) { $0.hasColor ? $0.reading.stability.noise?.deltaE : nil },
        .value("problem", "true if there is no colour, or its quality is poor") {
            !$0.hasColor || $0.grade == .poor
        },
        .value(
            "quality", "`good`, `fair` or `poor`",
            .init(label: "Quality", stateClass: nil, options: ["good", "fair", "poor"], isDiagnostic: true)
        ) { $0.grade?.rawValue },
        .number("rate", decimals: 2, "the readings per second while somebody watches") { $0.reading.rate.wanted },
        .value(
            "regionState",
            "the name of the target that the colour matches, once that has held for `readings.hold`; null while nothing does"
        ) { $0.reading.regionState?.name },
        .value("rgb", "red, green and blue, 0…255") { message in
            message.hasColor ? message.reading.rgb.map { [$0.r, $0.g, $0.b] } : nil
        },
        // A scale keeps its place also without a value, as a target does.
        .value(
            "scales",
            "for each [scale](scales.md), `name`, `value`, the ends `low` and `high` of its interval of 95 %, `unit`, `range`, "
                + "`distance`, `reason`, and `due`, the time at which it is to be kept"
        ) { $0.reading.scales },
        .value(
            "state", "the [state](api.md#states) of the reading",
            .init(
                label: "State", stateClass: nil, options: Reading.State.allCases.map(\.rawValue), isDiagnostic: true,
                isAlwaysAvailable: true)
        ) { $0.reading.state },
        // A target keeps its place also without a colour: Home Assistant finds it by that.
        // Only a part of what a reading says of it, because Home Assistant takes 16 KB at most.
        .init("targets", "for each [target](targets.md), `name`, `coverage`, `deltaE` and `verdict`", entity: nil) {
            $0.field("targets", ofEach: $1.reading.judgement.entries) { json, entry in
                json.field("coverage", entry.coverage?.share, decimals: 4)
                json.field("deltaE", entry.verdict?.deltaE, decimals: 2)
                json.field("name", entry.name)
                json.field("verdict", entry.verdict?.outcome)
            }
        },
        .value(
            "verdict",
            "`pass` if the colour passes for a target, `fail` if it fails for all, `close` if none passes and one is too close"
                + " to call; null without targets, or while nothing is decided"
        ) { $0.reading.judgement.entries.outcome },
    ]
}
