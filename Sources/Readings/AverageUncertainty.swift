package import Color

/// The uncertainty of the average of successive readings, which need not be independent (see `SeriesEstimate`).
package struct AverageUncertainty: Equatable, Sendable {
    /// The standard error of each channel of the average, on the scale of 0...255.
    package let channels: ChannelFigures
    /// The standard error of the colour in ΔE00: the root of the sum of the squares over three coordinates.
    package let deltaE: Double
    /// The half width of a 95 % interval, in standard errors. It is more than 2, because the errors themselves are
    /// estimated from few readings (JCGM 100:2008, annex G).
    package let coverageFactor: Double

    /// - Parameter readings: The `mean` of successive readings of a steady scene.
    /// - Returns: Nil for fewer than 8 readings.
    package init?(of readings: [RGB]) {
        guard let red = SeriesEstimate(readings.map(\.r)), let green = SeriesEstimate(readings.map(\.g)),
            let blue = SeriesEstimate(readings.map(\.b))
        else { return nil }
        let points = readings.map(CIELab.init).coordinates
        let errors = [points.map(\.0), points.map(\.1), points.map(\.2)].compactMap {
            SeriesEstimate($0)?.mean.standardError
        }
        channels = .init(r: red.mean.standardError, g: green.mean.standardError, b: blue.mean.standardError)
        deltaE = errors.reduce(0) { $0 + $1 * $1 }.squareRoot()
        coverageFactor = StudentsT.factor(degreesOfFreedom: red.degreesOfFreedom)
    }
}
