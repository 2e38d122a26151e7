/// The chromaticity coordinates of a colour, CIE 1931.
package struct Chromaticity: Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
