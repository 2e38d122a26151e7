package import Color
import Glibc

extension Double {
    /// Formats the number with a fixed number of decimals and a point.
    package func formatted(decimals: Int) -> String {
        // Up to 309 digits are before the point.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 320 + decimals) { text in
            guard let start = text.baseAddress else { return "" }
            _ = unsafe withVaList([self]) { unsafe vsnprintf(start, text.count, "%.\(decimals)f", $0) }
            return unsafe String(cString: start)
        }
    }

    /// Rounds to a number of decimals. Infinities and NaN, which JSON cannot express, become 0, and so does -0.
    package func rounded(decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite ? rounded + 0 : 0
    }
}

extension Channels where Value == Double {
    /// Rounds each channel to a number of decimals.
    package func rounded(decimals: Int) -> Self { map { $0.rounded(decimals: decimals) } }
}
