import Color
package import Documents
import Metrology
import Pixels
import Readings
import Untrusted

/// The content of the topic `state`: every key of ``StateFigure/all`` always, null if it is not defined.
package struct StateMessage: Equatable, Sendable {
    /// The word for "no effect": Home Assistant takes `none` for "no option".
    package static let noEffect = "off"

    let reading: Reading
    let isLocked: Bool
    /// The name of this instance for people: `web.title`, or else the name of the machine.
    let name: String
    let color: Reading.ColorDetails?

    init(_ reading: Reading, isLocked: Bool, name: String) {
        (self.reading, self.isLocked, self.name) = (reading, isLocked, name)
        color = reading.color
    }

    var hasColor: Bool { color != nil }

    var effect: String { reading.effect == "none" ? Self.noEffect : reading.effect }

    /// The grade of the quality; nil without a colour.
    var grade: Quality.Grade? { hasColor ? reading.quality?.grade : nil }

    /// Returns whether another message is to follow this one at once.
    /// - Parameter change: The difference ΔE00 from which the colours differ.
    func differs(from other: StateMessage, byMoreThan change: Double) -> Bool {
        let (new, old) = (reading, other.reading)
        if (new.state, new.effect, isLocked) != (old.state, old.effect, other.isLocked) { return true }
        if new.rate.wanted != old.rate.wanted || new.camera?.name != old.camera?.name { return true }
        if new.judgement.outcomes != old.judgement.outcomes || hasColor != other.hasColor { return true }
        if new.scales.map(\.found?.range) != old.scales.map(\.found?.range) { return true }
        if new.regionState?.name != old.regionState?.name || new.probes.words != old.probes.words { return true }
        guard let color, let other = other.color else { return false }
        return CIEDE2000(other.lab, color.lab).total > change
    }

    /// The message as it is sent.
    var payload: [UInt8] { Array(JSONWriter.data(self)) }

    /// The message about the concentrations of the probes, in their order; nil if none has one.
    var probesPayload: [UInt8]? {
        let probes = reading.probes.map {
            ProbeState(name: $0.probe.name.text, concentration: reading.concentration($0))
        }
        return probes.contains { $0.concentration != nil } ? Array(JSONWriter.data(probes)) : nil
    }
}

extension StateMessage: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        for figure in StateFigure.all { figure.write(&json, self) }
    }
}

extension [Reading.ProbeColor] {
    /// The words whose change is sent at once.
    fileprivate var words: [[String?]] { map { [$0.state?.name, $0.light?.word.rawValue] } }
}

/// What the broker keeps of a probe.
struct ProbeMessage: Equatable {
    let topic: String
    private let color: Reading.ProbeColor
    private let lab: CIELab?

    /// The messages about all probes whose names make topics of their own.
    static func all(_ reading: Reading, _ topics: FleetTopics) -> [ProbeMessage] {
        Discovery.distinct(reading.probes.map(\.probe.name.text), noun: "Probe").map { name in
            ProbeMessage(topic: topics.probe(name.slug), color: reading.probes[name.index])
        }
    }

    private init(topic: String, color: Reading.ProbeColor) {
        (self.topic, self.color) = (topic, color)
        lab = color.measurement.map { CIELab($0.mean) }
    }

    var payload: [UInt8] { Array(JSONWriter.data(self)) }

    /// Returns whether the broker is to keep this message in place of another about the same probe.
    /// - Parameter change: The difference ΔE00 above which the colours differ.
    func differs(from other: ProbeMessage, byMoreThan change: Double) -> Bool {
        if [color].words != [other.color].words || color.light?.on != other.color.light?.on { return true }
        if color.judgement.outcomes != other.color.judgement.outcomes { return true }
        guard let lab, let old = other.lab else { return (lab == nil) != (other.lab == nil) }
        return CIEDE2000(lab, old).total > change
    }
}

extension ProbeMessage: JSONObject {
    func writeFields(to json: inout JSONWriter) {
        if color.judgement.entries.isEmpty {
            json.field("coverage", nil as Bool?)
        } else {
            json.field("coverage", ofEach: color.judgement.entries) { json, entry in
                json.field("error", entry.coverage?.standardError, decimals: 4)
                json.field("name", entry.name)
                json.field("share", entry.coverage?.share, decimals: 4)
            }
        }
        json.field("hex", color.hex)
        json.field("light", color.light)
        json.field("lightState", color.light?.word.rawValue)
        json.field("name", color.probe.name)
        json.field("rgb", color.measurement.map { [$0.mean.rounded.r, $0.mean.rounded.g, $0.mean.rounded.b] })
        json.field("since", color.state?.since.timestamp)
        json.field("state", color.state?.name)
        json.field("verdict", color.judgement.entries.outcome)
    }
}

extension Reading.Judgement {
    fileprivate var outcomes: [Verdict.Outcome?] { entries.map { $0.verdict?.outcome } }
}

/// What a message says about a probe.
private struct ProbeState: JSONObject {
    let name: String
    let concentration: Concentration?

    func writeFields(to json: inout JSONWriter) {
        json.field("concentration", concentration)
        json.field("name", name)
    }
}
