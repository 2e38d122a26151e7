extension CIELab {
    /// Returns the difference by the formula of 1976, the distance in CIELAB (CIE 15:2004, 8.2.1).
    package func deltaE76(to other: CIELab) -> Double {
        let (l, a, b) = (other.lightness - lightness, other.a - a, other.b - b)
        return (l * l + a * a + b * b).squareRoot()
    }
}
