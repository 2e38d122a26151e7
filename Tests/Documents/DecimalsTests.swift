import Testing

@testable import Documents

@Suite("Decimals")
struct DecimalsTests {
    @Test(
        "a number is formatted with a fixed number of decimals and a point",
        arguments: [(1.005, 0, "1"), (2.5, 1, "2.5"), (-0.125, 2, "-0.12"), (1234.5678, 2, "1234.57"), (3, 2, "3.00")])
    func formatted(number: Double, decimals: Int, text: String) {
        #expect(number.formatted(decimals: decimals) == text)
    }

    @Test(
        "a number is rounded to nearest, half away from zero",
        arguments: [(1.25, 1, 1.3), (-1.25, 1, -1.3), (0.03125, 4, 0.0313), (7.4, 0, 7), (7.5, 0, 8)])
    func rounded(number: Double, decimals: Int, result: Double) {
        #expect(number.rounded(decimals: decimals) == result)
    }

    @Test("a small negative number is rounded to 0, not to -0")
    func negativeZero() {
        #expect((-0.004).rounded(decimals: 2).sign == .plus)
    }

    @Test("a number that is not finite is rounded to 0", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(number: Double) {
        #expect(number.rounded(decimals: 2) == 0)
    }
}
