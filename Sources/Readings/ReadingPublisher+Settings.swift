package import Metrology
package import Pixels

extension ReadingPublisher {
    /// The settings for readings, which `Capture` makes from the configuration.
    package struct Settings: Equatable, Sendable {
        /// The number of readings pushed per second.
        var rate: Double
        /// The number of frames that a reading averages.
        package var frames: Int
        /// The part of the picture that is read.
        var region: Region
        /// The effect of the processed picture.
        var effect: String
        /// What the colour is compared with.
        package var targets: [ColorTarget]
        /// The time for which a verdict has to hold before it counts, in seconds.
        var hold: Double
        /// What is measured beside the region.
        var probes: [Probe]
        /// The scales on which values are read.
        var scales: [NamedScale]

        package init(
            rate: Double = 4.0, frames: Int = 1, region: Region = Region.full, effect: String = "none",
            targets: [ColorTarget] = [], hold: Double = 1, probes: [Probe] = [],
            scales: [NamedScale] = []
        ) {
            self.rate = rate
            self.frames = frames
            self.region = region
            self.effect = effect
            self.targets = targets
            self.hold = hold
            self.probes = probes
            self.scales = scales
        }
    }
}
