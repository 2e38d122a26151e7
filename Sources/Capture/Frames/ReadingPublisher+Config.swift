import Configuration
import Readings

extension ReadingPublisher.Settings {
    /// Takes the settings for readings from the configuration.
    init(_ config: Config) {
        self.init(
            rate: config.readings.rate, frames: config.readings.frames, region: config.readings.region,
            effect: config.picture.effect)
    }
}
