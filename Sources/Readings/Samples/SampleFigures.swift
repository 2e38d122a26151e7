import Color

/// The figures of a sample that are computed from all of its readings.
enum SampleFigures {
    /// Returns the standard errors of the mean; nil if there are too few readings.
    static func standardError(of colors: [RGB]) -> Sample.StandardError? {
        AverageUncertainty(of: colors).map { .init(channels: $0.channels, deltaE: $0.deltaE) }
    }

    /// Returns the mean light of each channel; nil if a reading does not have it.
    static func linear(of readings: [Reading]) -> LinearRGB? {
        let lights = readings.compactMap(\.linear)
        return lights.count == readings.count ? lights.mean : nil
    }

    /// Returns the quality of a sample, which is no better than that of any of its readings; nil if none has one.
    ///
    /// A doubt about several readings appears once, with the figure of the worst of them.
    static func quality(of readings: [Reading]) -> Sample.Quality? {
        let qualities = readings.compactMap(\.quality)
        guard !qualities.isEmpty else { return nil }
        let flags = Quality.Flag.Code.allCases.compactMap { code in
            qualities.flatMap(\.flags).filter { $0.code == code }
                .max { ($0.grade, $0.value) < ($1.grade, $1.value) }
        }
        return .init(
            grade: Quality(flags: flags).grade.rawValue,
            flags: flags.map {
                .init(code: $0.code.rawValue, value: $0.value.rounded(decimals: 4), message: $0.message)
            })
    }
}
