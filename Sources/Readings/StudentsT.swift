/// The quantiles of Student's t distribution for intervals of 95 %.
enum StudentsT {
    /// Returns the half width of the interval in standard errors, for 2...6 degrees of freedom.
    static func factor(degreesOfFreedom: Int) -> Double { factors[index(degreesOfFreedom)] }

    /// The two-sided factors for 5 %, from 2 degrees of freedom on.
    private static let factors = [4.303, 3.182, 2.776, 2.571, 2.447]

    private static func index(_ degreesOfFreedom: Int) -> Int { min(max(degreesOfFreedom - 2, 0), factors.count - 1) }
}
