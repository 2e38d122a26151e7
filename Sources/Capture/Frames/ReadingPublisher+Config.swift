import Configuration
import Readings

extension ReadingPublisher.Settings {
    /// What the configuration says about readings.
    init(_ config: Config) {
        self.init(
            rate: config.readings.rate, frames: config.readings.frames, region: config.readings.region,
            effect: config.picture.effect)
    }
}
