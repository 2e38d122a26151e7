import Pixels

/// What may change while the program runs.
struct Settings: Equatable, Sendable {
    /// What is done to the processed picture; the reading is always of the untouched one.
    var effect: String
    /// The part of the picture that is read, as people see it: rotated and mirrored.
    var region: Region

    /// What the configuration says, at the start.
    init(_ config: Config = Config()) {
        effect = config.picture.effect
        region = config.readings.region
    }
}

extension Region {
    /// x, y, width and height.
    var list: [Double] { [x, y, width, height] }
}
