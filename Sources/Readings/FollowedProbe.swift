import Metrology
import Pixels

/// What is remembered of a probe from one reading to the next.
struct FollowedProbe {
    let probe: Probe
    var series = NewestReadings()
    var state = AreaStateTracker()
    /// Nil if the probe is on no light.
    var light: LightTracker?

    /// - Parameter earlier: The probes before a change of the settings. One that stays where it was keeps its readings and
    ///   its light, and its state if it keeps its name, too.
    init(_ probe: Probe, after earlier: [FollowedProbe] = []) {
        self.probe = probe
        let same = earlier.first { $0.probe.area == probe.area }
        series = same?.series ?? series
        if probe.isLight { light = same?.light ?? LightTracker() }
        state = earlier.first { $0.probe.area == probe.area && $0.probe.name == probe.name }?.state ?? state
    }

    /// Forgets what something other than the scene may have changed.
    mutating func markDisturbance() {
        series = NewestReadings()
        light?.reset()
    }
}
