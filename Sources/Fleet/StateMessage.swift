import Capture
import Color
import FoundationEssentials
import Metrology
import Pixels
import Readings
package import Untrusted

/// The content of the topic `state`: every key always, null if it is not defined.
package struct StateMessage: Equatable, Sendable {
    /// The word for "no effect": Home Assistant takes `none` for "no option".
    package static let noEffect = "off"

    var brightness: Double?
    var camera: String?
    var cct: Double?
    var concentration: Concentration?
    var effect: String
    var hex: String?
    var hue: Double?
    var lightness: Double?
    var isLocked: Bool
    var name: String
    var noise: Double?
    var hasProblem: Bool
    var quality: Quality.Grade?
    var rate: Double
    var rgb: RGB8?
    var state: Reading.State
    /// What is known about each target, in their order.
    var targets: [Reading.Judgement.Entry]
    /// What is known about each probe, in their order; empty while no probe has a concentration. A message of its own has it.
    var probes: [ProbeState]
    /// The colour for differences. It is not sent.
    var lab: CIELab?

    /// - Parameter name: The name of the camera for people.
    init(_ reading: Reading, isLocked: Bool, name: String) {
        let color = reading.color
        brightness = color == nil ? nil : reading.brightness.map { 100 * $0 }
        camera = reading.camera?.name
        cct = color?.temperature?.kelvins
        concentration = reading.concentration
        effect = reading.effect == "none" ? Self.noEffect : reading.effect
        hex = color == nil ? nil : reading.hex
        // Of a grey, the hue means nothing.
        hue = color.flatMap { ($0.hsl.saturation * 1000).rounded() > 0 ? $0.hsl.hue : nil }
        lightness = color?.lab.lightness
        self.isLocked = isLocked
        self.name = name
        noise = color == nil ? nil : reading.stability.noise?.deltaE
        quality = color == nil ? nil : reading.quality?.grade
        hasProblem = color == nil || quality == .poor
        rate = reading.rate.wanted
        rgb = color == nil ? nil : reading.rgb
        state = reading.state
        // A target keeps its place also without a colour: Home Assistant finds it by that.
        targets = reading.judgement.entries
        let probes = reading.probes.map {
            ProbeState(name: $0.probe.name.text, concentration: reading.concentration($0))
        }
        self.probes = probes.contains { $0.concentration != nil } ? probes : []
        lab = color?.lab
    }

    /// The verdict on the colour as a whole: `pass` if a target does, `fail` if every target does, and `close` if none
    /// passes and one is too close to call.
    var verdict: Verdict.Outcome? { targets.outcome }

    var hasColor: Bool { lab != nil }

    /// Returns whether another message is to follow this one at once.
    /// - Parameter change: The difference ΔE00 from which the colours differ.
    func differs(from other: StateMessage, byMoreThan change: Double) -> Bool {
        if (state, effect, isLocked, rate) != (other.state, other.effect, other.isLocked, other.rate) { return true }
        if hasColor != other.hasColor || camera != other.camera { return true }
        if targets.map({ $0.verdict?.outcome }) != other.targets.map({ $0.verdict?.outcome }) { return true }
        guard let lab, let old = other.lab else { return false }
        return CIEDE2000(old, lab).total > change
    }
}

extension StateMessage: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("brightness", brightness, decimals: 1)
            json.field("camera", camera.map { $0.sanitized(limit: 100) })
            json.field("cct", cct, decimals: 0)
            json.field("concentration", concentration)
            json.field("effect", effect)
            json.field("hex", hex)
            json.field("hue", hue.map { $0.rounded(decimals: 1) < 360 ? $0 : 0 }, decimals: 1)
            json.field("lightness", lightness, decimals: 1)
            json.field("locked", isLocked)
            json.field("name", name)
            json.field("noise", noise, decimals: 2)
            json.field("problem", hasProblem)
            json.field("quality", quality?.rawValue)
            json.field("rate", rate, decimals: 2)
            json.field("rgb", rgb.map { [$0.r, $0.g, $0.b] })
            json.field("state", state)
            json.field("targets", targets.map(TargetState.init))
            json.field("verdict", verdict)
        }
    }

    /// The message as it is sent.
    var payload: [UInt8] { Array(JSONWriter.data(self)) }

    /// The message about the probes; nil if none has a concentration.
    var probesPayload: [UInt8]? { probes.isEmpty ? nil : Array(JSONWriter.data(probes)) }
}

/// What a message says about a probe.
struct ProbeState: Equatable, JSONObject {
    var name: String
    var concentration: Concentration?

    func writeFields(to json: inout JSONWriter) {
        json.field("concentration", concentration)
        json.field("name", name)
    }
}

/// What a message says about a target: a part of what a reading does, because Home Assistant takes 16 KB at most.
private struct TargetState: JSONWritable {
    let entry: Reading.Judgement.Entry

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("deltaE", entry.verdict?.deltaE, decimals: 2)
            json.field("name", entry.name)
            json.field("verdict", entry.verdict?.outcome)
        }
    }
}
