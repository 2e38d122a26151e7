import Color

/// The figures of a sample that are computed from all of its readings.
enum SampleFigures {
    /// Returns the standard errors of the mean.
    ///
    /// That of the colour is made of the differences by which the standard errors of L*, a* and b* move the mean, each
    /// by itself, as a root of the sum of squares.
    /// - Parameter standardError: Returns the standard error of the mean of a series; nil if there are too few values.
    static func standardError(
        of colors: [RGB], by standardError: ([Double]) -> Double? = Self.standardError
    ) -> Sample.StandardError? {
        let labs = colors.map { CIELab($0) }
        guard let mean = colors.mean, let r = standardError(colors.map(\.r)), let g = standardError(colors.map(\.g)),
            let b = standardError(colors.map(\.b)), let l = standardError(labs.map(\.lightness)),
            let a = standardError(labs.map(\.a)), let bStar = standardError(labs.map(\.b))
        else { return nil }
        let center = CIELab(mean)
        let moved = [
            CIELab(lightness: center.lightness + l, a: center.a, b: center.b),
            CIELab(lightness: center.lightness, a: center.a + a, b: center.b),
            CIELab(lightness: center.lightness, a: center.a, b: center.b + bStar),
        ]
        let squares = moved.map { CIEDE2000(center, $0).total }.map { $0 * $0 }
        return .init(channels: RGB(r: r, g: g, b: b), deltaE: squares.reduce(0, +).squareRoot())
    }

    /// Returns the standard error of the mean of a series; nil if it is not known.
    static func standardError(of series: [Double]) -> Double? { nil }

    /// Returns the mean light of each channel; nil if the readings do not have it.
    static func linear(of readings: [Reading]) -> Sample.LinearLight? { nil }

    /// Returns the quality of a sample from that of its readings; nil if it is not known.
    static func quality(of readings: [Reading]) -> Sample.Quality? { nil }
}

extension [RGB] {
    /// The mean; nil if there is none.
    var mean: RGB? {
        guard !isEmpty else { return nil }
        let sum = reduce(RGB(r: 0, g: 0, b: 0)) { RGB(r: $0.r + $1.r, g: $0.g + $1.g, b: $0.b + $1.b) }
        return RGB(r: sum.r / Double(count), g: sum.g / Double(count), b: sum.b / Double(count))
    }
}
