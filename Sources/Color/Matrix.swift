/// A matrix of three rows, which converts between two spaces of three components.
struct Matrix: Sendable {
    /// Three components of a colour.
    typealias Vector = (Double, Double, Double)

    private let rows: (Vector, Vector, Vector)

    init(_ first: Vector, _ second: Vector, _ third: Vector) {
        rows = (first, second, third)
    }

    static func * (matrix: Matrix, vector: Vector) -> Vector {
        (dot(matrix.rows.0, vector), dot(matrix.rows.1, vector), dot(matrix.rows.2, vector))
    }

    private static func dot(_ row: Vector, _ vector: Vector) -> Double {
        row.0 * vector.0 + row.1 * vector.1 + row.2 * vector.2
    }
}
