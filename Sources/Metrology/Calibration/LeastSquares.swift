/// The solution of a linear least-squares problem by Householder's QR factorization (G. H. Golub, C. F. Van Loan, Matrix
/// Computations, 4th ed., 5.2 and 5.3).
struct LeastSquares {
    /// The coefficients of the columns, for each list of targets.
    let coefficients: [[Double]]
    /// How much each row determines its own fitted value: the diagonal of the hat matrix, 0...1.
    ///
    /// With the residual e of the fit to all rows, the residual of a row from the fit to all others is e / (1 - h)
    /// (R. D. Cook, S. Weisberg, Residuals and Influence in Regression, 2.2.1).
    let leverages: [Double]

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
