import Glibc

/// The polynomials of degree 0, 1, 2, … that are orthonormal at given times.
///
/// White noise has independent coefficients of equal variance, whatever the spacing of the times.
struct OrthogonalPolynomials {
    /// The values of the polynomials at the times, by degree.
    let values: [[Double]]
    /// The factor from the coefficient of degree 1 to a slope.
    let slopeFactor: Double

    /// - Parameter times: Increasing times, more of them than the degree.
    /// - Returns: Nil if the times do not determine the polynomials.
    init?(at times: [Double], degree: Int) {
        guard let first = times.first, let last = times.last, times.count > degree, last > first else { return nil }
        // Scaled to about -1...1, so that powers do not overflow.
        let (middle, half) = ((first + last) / 2, (last - first) / 2)
        let scaled = times.map { ($0 - middle) / half }
        var values = [[Double](repeating: 1 / Double(times.count).squareRoot(), count: times.count)]
        var slopeFactor = 0.0
        for _ in 0..<degree {
            var next = zip(scaled, values[values.count - 1]).map { $0 * $1 }
            // Two rounds of orthogonalisation are enough (Kahan, in B. N. Parlett, "The Symmetric Eigenvalue Problem",
            // 6.9).
            for _ in 0..<2 {
                for value in values {
                    let share = Self.product(next, value)
                    for index in next.indices { next[index] -= share * value[index] }
                }
            }
            let length = Self.product(next, next).squareRoot()
            guard length > 1e-9 else { return nil }
            values.append(next.map { $0 / length })
            if values.count == 2 {
                // The polynomial of degree 1 is (t - mean) / √Σ(t - mean)².
                slopeFactor = (values[1][times.count - 1] - values[1][0]) / (last - first)
            }
        }
        self.values = values
        self.slopeFactor = slopeFactor
    }

    /// Returns the coefficient of a degree.
    func coefficient(_ degree: Int, of series: [Double]) -> Double { Self.product(values[degree], series) }

    /// Returns the variance of the coefficient of a degree for an autoregressive series of order 1 with variance 1.
    func variance(_ degree: Int, autocorrelation: Double) -> Double {
        var (variance, sum) = (0.0, 0.0)
        for value in values[degree] {
            variance += value * (value + 2 * sum)
            sum = autocorrelation * (sum + value)
        }
        return variance
    }

    /// Returns the scalar product of two series of equal length.
    static func product(_ one: [Double], _ two: [Double]) -> Double {
        var sum = 0.0
        for index in one.indices { sum += one[index] * two[index] }
        return sum
    }
}
