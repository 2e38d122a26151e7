/// A colour in CIE XYZ, of the 1931 2° observer, relative to the white point D65. Y is 1 for white.
package struct XYZ: Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package init(_ rgb: RGB) { self.init(rgb.linear) }

    package init(_ light: LinearRGB) { (x, y, z) = Self.fromSRGB * (light.r, light.g, light.b) }

    /// The colour in sRGB, whose channels are outside of 0...255 if sRGB does not hold it.
    var rgb: RGB {
        RGB(light.map { 255 * SRGB.encoded($0) })
    }

    /// The linear light of sRGB, whose channels are outside of 0...1 if sRGB does not hold the colour.
    var light: LinearRGB {
        let light = Self.toSRGB * (x, y, z)
        return LinearRGB(r: light.0, g: light.1, b: light.2)
    }

    /// The chromaticity; nil for black, which has none.
    package var chromaticity: Chromaticity? {
        let sum = x + y + z
        return sum > 0 ? Chromaticity(x: x / sum, y: y / sum) : nil
    }

    /// From linear sRGB, as exact fractions (CSS Color 4, 18, `lin_sRGB_to_XYZ`).
    static let fromSRGB = Matrix(
        (506_752 / 1_228_815, 87_881 / 245_763, 12_673 / 70_218),
        (87_098 / 409_605, 175_762 / 245_763, 12_673 / 175_545),
        (7_918 / 409_605, 87_881 / 737_289, 1_001_167 / 1_053_270))

    /// To linear sRGB, as exact fractions (CSS Color 4, 18, `XYZ_to_lin_sRGB`).
    private static let toSRGB = Matrix(
        (12_831 / 3_959, -329 / 214, -1_974 / 3_959), (-851_781 / 878_810, 1_648_619 / 878_810, 36_519 / 878_810),
        (705 / 12_673, -2_585 / 12_673, 705 / 667))
}

/// The chromaticity coordinates of a colour, CIE 1931.
package struct Chromaticity: Equatable, Sendable {
    package var x: Double
    package var y: Double
}

/// A matrix of three rows, which converts between two spaces of three components.
struct Matrix: Sendable {
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
