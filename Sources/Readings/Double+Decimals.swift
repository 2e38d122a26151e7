import Foundation

extension Double {
    /// Formats the number with a fixed number of decimals and a point, whatever the locale.
    package func formatted(decimals: Int) -> String {
        String(format: "%.\(decimals)f", self)
    }

    /// Rounds to a number of decimals. Infinities and NaN, which JSON cannot express, become 0.
    func rounded(decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite ? rounded : 0
    }
}
