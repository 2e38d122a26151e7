import Glibc

/// The solution of a linear least-squares problem by Householder's QR factorization (G. H. Golub, C. F. Van Loan,
/// Matrix Computations, 4th ed., 5.2 and 5.3).
struct LeastSquares {
    /// The coefficients of the columns, for each list of targets.
    let coefficients: [[Double]]
    /// How much each row determines its own fitted value: the diagonal of the hat matrix, 0...1.
    ///
    /// With the residual e of the fit to all rows, the residual of a row from the fit to all others is e / (1 - h)
    /// (R. D. Cook, S. Weisberg, Residuals and Influence in Regression, 2.2.1).
    let leverages: [Double]
    /// How much the columns are alike: the ratio of the greatest and the least singular value of the rows, whose
    /// columns are scaled to the same length. It is 1 if they are orthogonal (D. A. Belsley, E. Kuh, R. E. Welsch,
    /// Regression Diagnostics, 3.2).
    let condition: Double

    /// - Parameters:
    ///   - rows: At least as many rows as each of them has columns.
    ///   - targets: Lists of as many numbers as there are rows.
    /// - Returns: Nil if the columns are not independent.
    init?(rows: [[Double]], targets: [[Double]]) {
        let count = rows.first?.count ?? 0
        guard count > 0, rows.count >= count else { return nil }
        var columns = (0..<count).map { column in rows.map { $0[column] } }
        var targets = targets
        for step in 0..<count {
            let length = Self.dot(columns[step], columns[step], from: step).squareRoot()
            // Reflections keep the length of a column, so this is its share that the columns before do not explain.
            let whole = Self.dot(columns[step], columns[step], from: 0).squareRoot()
            guard whole > 0, length > 1e-10 * whole else { return nil }
            let diagonal = columns[step][step] > 0 ? -length : length
            var mirror = columns[step]
            mirror[step] -= diagonal
            let square = Self.dot(mirror, mirror, from: step)
            for column in step..<count { Self.reflect(&columns[column], by: mirror, square, from: step) }
            for index in targets.indices { Self.reflect(&targets[index], by: mirror, square, from: step) }
        }
        coefficients = targets.map { target in
            var solution = Array(target.prefix(count))
            for row in (0..<count).reversed() {
                for column in row + 1..<count { solution[row] -= columns[column][row] * solution[column] }
                solution[row] /= columns[row][row]
            }
            return solution
        }
        condition = Self.condition(of: rows)
        // A row x has the leverage |z|², with Rᵀz = x.
        leverages = rows.map { row in
            var solution = row
            for index in 0..<count {
                for earlier in 0..<index { solution[index] -= columns[index][earlier] * solution[earlier] }
                solution[index] /= columns[index][index]
            }
            return min(Self.dot(solution, solution, from: 0), 1)
        }
    }

    /// The roots of the eigenvalues of the scaled columns' products are the singular values. They are found by Jacobi's
    /// rotations (G. H. Golub, C. F. Van Loan, 8.5).
    private static func condition(of rows: [[Double]]) -> Double {
        let columns = (rows.first?.indices ?? 0..<0).map { column in
            let values = rows.map { $0[column] }
            let length = dot(values, values, from: 0).squareRoot()
            return values.map { $0 / length }
        }
        var products = columns.map { one in columns.map { dot(one, $0, from: 0) } }
        for _ in 0..<30 {
            for row in products.indices {
                for column in products.indices where column > row && abs(products[row][column]) > 1e-300 {
                    let angle =
                        0.5 * atan2(2 * products[row][column], products[column][column] - products[row][row])
                    let (c, s) = (cos(angle), sin(angle))
                    for index in products.indices {
                        let (one, two) = (products[index][row], products[index][column])
                        (products[index][row], products[index][column]) = (c * one - s * two, s * one + c * two)
                    }
                    for index in products.indices {
                        let (one, two) = (products[row][index], products[column][index])
                        (products[row][index], products[column][index]) = (c * one - s * two, s * one + c * two)
                    }
                }
            }
        }
        let values = products.indices.map { max(products[$0][$0], 1e-16) }
        return ((values.max() ?? 1) / (values.min() ?? 1)).squareRoot()
    }

    private static func dot(_ one: [Double], _ two: [Double], from start: Int) -> Double {
        var sum = 0.0
        for index in start..<one.count { sum += one[index] * two[index] }
        return sum
    }

    private static func reflect(_ vector: inout [Double], by mirror: [Double], _ square: Double, from start: Int) {
        let factor = 2 * dot(mirror, vector, from: start) / square
        for index in start..<vector.count { vector[index] -= factor * mirror[index] }
    }
}
