import Foundation

extension Double {
    /// With a fixed number of decimals and a point, whatever the locale.
    package func formatted(decimals: Int) -> String {
        String(format: "%.\(decimals)f", self)
    }

    /// To some decimals; 0 for what is no number, which JSON cannot say.
    func rounded(decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite ? rounded : 0
    }
}
