import Configuration
import Metrology
import Pixels
import Readings

extension ReadingPublisher.Settings {
    init(_ config: Config) {
        self.init(
            rate: config.readings.rate, frames: config.readings.frames, region: config.readings.region,
            effect: config.picture.effect, targets: config.targets.map(\.colorTarget),
            hold: config.readings.hold, probes: config.probes, scales: config.scales.map(\.scale))
    }
}
