package import Color

/// The colour that successive readings of one thing show, and how far it can be trusted.
package struct MeasuredColor: Sendable {
    /// The minimum number of readings that have a spread to go by.
    package static let minCount = 8

    package let mean: CIELab
    package let count: Int
    /// The moments of the readings in CIELAB.
    let moments: SeriesMoments
    /// The lag-1 autocorrelation of the readings, about 0...1.
    package let autocorrelation: Double

    /// The uncertainty of ``mean``: without the caution of a verdict, so that an interval holds the truth in 95 of 100
    /// cases, and not in 98.
    var uncertainty: Uncertainty {
        let uncertainty = moments.uncertainty(ofMeanOf: count, autocorrelation: autocorrelation, caution: 0)
        return Uncertainty(
            covariance: moments.scatter * uncertainty.factor, degreesOfFreedom: uncertainty.degreesOfFreedom)
    }

    /// - Parameter readings: Successive readings, oldest first.
    /// - Returns: Nil if there are none.
    package init?(_ readings: [CIELab]) {
        guard !readings.isEmpty else { return nil }
        moments = SeriesMoments(readings.map(\.vector))
        count = readings.count
        mean = CIELab(moments.mean)
        autocorrelation = moments.transformed(by: DifferenceSpace(around: mean).map).autocorrelation
    }
}

/// The covariance of a colour in CIELAB, and the degrees of freedom with which it is known.
struct Uncertainty: Equatable, Sendable {
    var covariance: Symmetric3
    var degreesOfFreedom: Double
}

extension DifferenceSpace {
    /// Creates the space in which ΔE00 of two colours is their distance. The weights of CIEDE2000 are those of the
    /// colour between them.
    init(between one: CIELab, and two: CIELab) { self.init(around: CIELab((one.vector + two.vector) / 2)) }

    /// The function from differences in CIELAB to those in this space.
    var map: LinearMap { linearMap(coordinates) }

    /// The function from differences in CIELAB to those of lightness, chroma and hue.
    var componentMap: LinearMap { linearMap(components) }

    private func linearMap(_ function: (CIELab) -> SIMD3<Double>) -> LinearMap {
        // The origin is not the centre, so the images of the unit vectors are differences.
        func image(_ x: Double, _ y: Double, _ z: Double) -> SIMD3<Double> {
            function(CIELab(lightness: x, a: y, b: z)) - function(CIELab(lightness: 0, a: 0, b: 0))
        }
        return LinearMap(columns: (image(1, 0, 0), image(0, 1, 0), image(0, 0, 1)))
    }
}
