/// The quantiles of Student's t distribution for intervals of 95 %.
enum StudentsT {
    /// Returns the half width of the interval in standard errors, for 2...6 degrees of freedom.
    static func factor(degreesOfFreedom: Int) -> Double { single[index(degreesOfFreedom)] }

    /// Two-sided, 5 %.
    private static let single = [4.303, 3.182, 2.776, 2.571, 2.447]

    private static func index(_ degreesOfFreedom: Int) -> Int { min(max(degreesOfFreedom - 2, 0), single.count - 1) }
}
