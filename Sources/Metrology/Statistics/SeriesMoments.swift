import Color

/// The mean, the spread and the lag-1 products of a series of vectors.
package struct SeriesMoments: Sendable {
    package let count: Int
    package let mean: SIMD3<Double>
    /// Σ r rᵀ of the differences r from the mean.
    let scatter: Symmetric3
    /// Σ (r s ᵀ + s rᵀ) / 2 of each difference r and the next one, s.
    let lagged: Symmetric3

    private init(count: Int, mean: SIMD3<Double>, scatter: Symmetric3, lagged: Symmetric3) {
        (self.count, self.mean, self.scatter, self.lagged) = (count, mean, scatter, lagged)
    }

    /// - Parameter values: At least one vector.
    package init(_ values: [SIMD3<Double>]) {
        let mean = values.reduce(SIMD3<Double>.zero, +) / Double(max(1, values.count))
        var (scatter, lagged) = (Symmetric3.zero, Symmetric3.zero)
        var previous: SIMD3<Double>?
        for value in values {
            let rest = value - mean
            scatter.addProduct(rest, rest)
            if let previous { lagged.addProduct(previous, rest) }
            previous = rest
        }
        self.init(count: values.count, mean: mean, scatter: scatter, lagged: lagged)
    }

    /// Returns the moments of the vectors that a linear function makes of the differences.
    func transformed(by map: LinearMap) -> SeriesMoments {
        SeriesMoments(
            count: count, mean: map * mean, scatter: scatter.transformed(by: map), lagged: lagged.transformed(by: map))
    }

    /// The lag-1 autocorrelation: that of all coordinates together or the mean of those of each, whichever is greater,
    /// because the noisiest coordinate is not always the one whose noise lasts longest.
    ///
    /// It is corrected for the bias of short series (F. H. C. Marriott, J. A. Pope, "Bias in the Estimation of
    /// Autocorrelations", Biometrika 41, 1954). 0 for fewer than 5 vectors, and for a series without noise.
    var autocorrelation: Double {
        let (squares, products) = (scatter.diagonal, lagged.diagonal)
        guard count > 4, squares.sum() > 0 else { return 0 }
        var (sum, coordinates) = (0.0, 0.0)
        // The rounding of a coordinate that does not vary has no autocorrelation.
        for index in 0..<3 where squares[index] > 1e-18 * squares.sum() {
            sum += products[index] / squares[index]
            coordinates += 1
        }
        let observed = max(products.sum() / squares.sum(), sum / coordinates)
        return (Double(count) * observed + 1) / Double(count - 4)
    }

    /// How far a mean of several of these vectors can be trusted.
    struct MeanUncertainty: Sendable {
        /// The factor from ``SeriesMoments/scatter`` to the covariance of the mean.
        var factor: Double
        /// The degrees of freedom of the estimate.
        var degreesOfFreedom: Double
    }

    /// Returns the uncertainty of the mean of these vectors, or of more of the same kind.
    ///
    /// The series is taken for an autoregressive one of order 1. Few vectors do not determine its ρ well, so ρ is taken
    /// to be greater than its estimate by standard errors, √((1 − ρ²) / 3n) (P. J. Brockwell, R. A. Davis, "Time
    /// Series: Theory and Methods", 7.2), here for three coordinates.
    /// - Parameters:
    ///   - total: The number of vectors that the mean is of; not less than those in the series.
    ///   - caution: How many standard errors ρ is taken to be greater than its estimate.
    func uncertainty(ofMeanOf total: Int, autocorrelation: Double, caution: Double = 1) -> MeanUncertainty {
        let own = Self.upper(autocorrelation, count, caution)
        let believed = Self.upper(autocorrelation, total, caution)
        let square = believed * believed
        // The scatter of n vectors is (n − inflation) times their variance on average.
        let divisor = max(Double(count) - Self.inflation(own, count), 0.1)
        return MeanUncertainty(
            factor: Self.inflation(believed, total) / (Double(total) * divisor),
            degreesOfFreedom: max(Double(total) * (1 - square) / (1 + square) - 1, 1))
    }

    /// The greatest ρ that is believed; a greater one cannot be told from a trend.
    private static let maxAutocorrelation = 0.9

    private static func upper(_ autocorrelation: Double, _ count: Int, _ caution: Double) -> Double {
        let estimate = min(max(autocorrelation, 0), 1)
        // A negative estimate lowers the limit, but not below 0.
        let limit = autocorrelation + caution * ((1 - estimate * estimate) / Double(3 * count)).squareRoot()
        return min(max(limit, 0), maxAutocorrelation)
    }

    /// Returns how many times the variance of a mean exceeds that of a mean of independent vectors: 1 + 2 Σ (1 − k/n)
    /// ρᵏ.
    private static func inflation(_ rho: Double, _ count: Int) -> Double {
        let n = Double(count)
        var power = 1.0
        for _ in 0..<count { power *= rho }
        return (1 + rho) / (1 - rho) - 2 * rho * (1 - power) / (n * (1 - rho) * (1 - rho))
    }
}

/// A linear function of three coordinates, by the images of the unit vectors.
struct LinearMap: Sendable {
    var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    static func * (map: LinearMap, vector: SIMD3<Double>) -> SIMD3<Double> {
        map.columns.0 * vector.x + map.columns.1 * vector.y + map.columns.2 * vector.z
    }
}

/// A symmetric matrix of 3 by 3.
struct Symmetric3: Equatable, Sendable {
    var diagonal: SIMD3<Double>
    /// The elements (1, 2), (0, 2) and (0, 1), each opposite to the diagonal element of the same index.
    var others: SIMD3<Double>

    static let zero = Symmetric3(diagonal: .zero, others: .zero)

    /// Adds (v wᵀ + w vᵀ) / 2.
    mutating func addProduct(_ v: SIMD3<Double>, _ w: SIMD3<Double>) {
        diagonal += v * w
        others.x += (v.y * w.z + v.z * w.y) / 2
        others.y += (v.x * w.z + v.z * w.x) / 2
        others.z += (v.x * w.y + v.y * w.x) / 2
    }

    static func * (matrix: Symmetric3, factor: Double) -> Symmetric3 {
        Symmetric3(diagonal: matrix.diagonal * factor, others: matrix.others * factor)
    }

    static func * (matrix: Symmetric3, vector: SIMD3<Double>) -> SIMD3<Double> {
        let (d, o) = (matrix.diagonal, matrix.others)
        return SIMD3(
            d.x * vector.x + o.z * vector.y + o.y * vector.z, o.z * vector.x + d.y * vector.y + o.x * vector.z,
            o.y * vector.x + o.x * vector.y + d.z * vector.z)
    }

    /// Returns M S Mᵀ.
    func transformed(by map: LinearMap) -> Symmetric3 {
        let (a, b, c) = map.columns
        let rows = (SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
        let images = (self * rows.0, self * rows.1, self * rows.2)
        return Symmetric3(
            diagonal: SIMD3(rows.0.dot(images.0), rows.1.dot(images.1), rows.2.dot(images.2)),
            others: SIMD3(rows.1.dot(images.2), rows.0.dot(images.2), rows.0.dot(images.1)))
    }

    /// The eigenvalues and their vectors, by the method of Jacobi (W. H. Press and others, "Numerical Recipes", 11.1).
    var principalAxes: (values: SIMD3<Double>, vectors: [SIMD3<Double>]) {
        var matrix = [
            SIMD3(diagonal.x, others.z, others.y), SIMD3(others.z, diagonal.y, others.x),
            SIMD3(others.y, others.x, diagonal.z),
        ]
        var vectors = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
        // It converges in about six rounds.
        for _ in 0..<50 {
            let rest = abs(matrix[0].y) + abs(matrix[0].z) + abs(matrix[1].z)
            guard rest > 1e-15 * (abs(matrix[0].x) + abs(matrix[1].y) + abs(matrix[2].z)) else { break }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] where matrix[p][q] != 0 {
                let theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
                let t = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
                let cosine = 1 / (t * t + 1).squareRoot()
                let sine = t * cosine
                (matrix[p], matrix[q]) = (cosine * matrix[p] - sine * matrix[q], sine * matrix[p] + cosine * matrix[q])
                for row in 0..<3 {
                    let (left, right) = (matrix[row][p], matrix[row][q])
                    matrix[row][p] = cosine * left - sine * right
                    matrix[row][q] = sine * left + cosine * right
                }
                (vectors[p], vectors[q]) = (
                    cosine * vectors[p] - sine * vectors[q], sine * vectors[p] + cosine * vectors[q]
                )
            }
        }
        return (SIMD3(matrix[0].x, matrix[1].y, matrix[2].z), vectors)
    }
}
