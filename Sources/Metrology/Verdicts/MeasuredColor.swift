package import Color

/// The colour that successive readings of one thing show, and how far it can be trusted.
package struct MeasuredColor: Sendable {
    /// The minimum number of readings that have a spread to go by.
    package static let minCount = 8

    /// The mean of the readings.
    package let mean: CIELab
    /// The number of readings.
    package let count: Int
    /// The moments of the readings in CIELAB.
    let moments: SeriesMoments
    /// The lag-1 autocorrelation of the readings, about 0...1.
    package let autocorrelation: Double

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

extension CIELab {
    /// The components as a vector.
    var vector: SIMD3<Double> { SIMD3(lightness, a, b) }

    init(_ vector: SIMD3<Double>) { self.init(lightness: vector.x, a: vector.y, b: vector.z) }
}

extension DifferenceSpace {
    /// Creates the space in which ΔE00 of two colours is their distance. The weights of CIEDE2000 are those of the
    /// colour between them.
    init(between one: CIELab, and two: CIELab) { self.init(around: CIELab((one.vector + two.vector) / 2)) }

    /// The function from differences in CIELAB to those in this space.
    var map: LinearMap { linearMap(coordinates) }

    /// The function from differences in CIELAB to those of lightness, chroma and hue.
    var componentMap: LinearMap { linearMap(components) }

    private func linearMap(_ function: (CIELab) -> Coordinates) -> LinearMap {
        // The origin is not the centre, so the images of the unit vectors are differences.
        func image(_ vector: SIMD3<Double>) -> SIMD3<Double> {
            let coordinates = function(CIELab(vector))
            return SIMD3(coordinates.0, coordinates.1, coordinates.2)
        }
        let origin = image(.zero)
        return LinearMap(
            columns: (
                image(SIMD3(1, 0, 0)) - origin, image(SIMD3(0, 1, 0)) - origin, image(SIMD3(0, 0, 1)) - origin
            ))
    }
}
