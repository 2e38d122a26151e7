import Foundation

extension SeededGenerator {
    /// Returns a number of the standard normal distribution (G. E. P. Box, M. E. Muller, Annals of Mathematical Statistics
    /// 29, 1958).
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
        return radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &self))
    }
}
