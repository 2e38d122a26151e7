package import Color

/// The brightness of a white sheet over the picture, less the dark, on a coarse grid: the camera's vignetting and the
/// unevenness of the light.
package struct Shading: Codable, Equatable, Sendable {
    /// The number of cells that a grid may have in each direction.
    package static let sides = 2...64
    /// The share of the brightest cell below which a cell cannot be corrected, because it would be mostly noise.
    static let minShare = 0.1

    package let columns: Int
    /// The light of each cell, row by row from the top, as shares of the mean of all cells.
    package let cells: [LinearRGB]

    var rows: Int { cells.count / columns }

    /// Measures the shading.
    /// - Parameter cells: The measurements of a white sheet, row by row from the top.
    package init(
        columns: Int, cells: [PatchMeasurement], dark: LinearRGB
    ) throws(MeasurementRefusal) {
        guard Self.isGrid(cells.count, in: columns) else {
            throw MeasurementRefusal(
                "The grid of the flat has \(cells.count) cells in \(columns) columns; it needs whole rows, and 2 to 64 "
                    + "of both.")
        }
        if let clipping = cells.lazy.compactMap(\.clipping).first {
            throw MeasurementRefusal("The white sheet is clipped: \(clipping). Change the exposure.")
        }
        let lights = cells.map { $0.linear - dark }
        let brightest = lights.flatMap(\.values).max() ?? 0
        guard brightest >= GreyCard.minLight else {
            throw MeasurementRefusal(
                "The white sheet is dark: its brightest part is \(max(0, brightest).percent) of full scale, and 10 % "
                    + "are needed. Raise the exposure or add light.")
        }
        let least = lights.reduce(LinearRGB(all: .infinity)) { $0.combined(with: $1, by: min) }
        let most = lights.reduce(LinearRGB.zero) { $0.combined(with: $1, by: max) }
        for (name, share) in least.combined(with: most, by: /).named where !(share > Self.minShare) {
            throw MeasurementRefusal(
                "The white sheet has parts with less than a tenth of its \(name) light. Let it fill the picture, "
                    + "without a shadow.")
        }
        let mean = lights.mean ?? LinearRGB(all: 1)
        self.columns = columns
        self.cells = lights.map { $0.combined(with: mean, by: /) }
    }

    /// Whether its figures are those of a grid.
    var isValid: Bool {
        Self.isGrid(cells.count, in: columns) && cells.allSatisfy { $0.values.allSatisfy { 0.001...1000 ~= $0 } }
    }

    private static func isGrid(_ count: Int, in columns: Int) -> Bool {
        sides ~= columns && count.isMultiple(of: columns) && sides ~= count / columns
    }

    /// Returns the mean shading of a part of the picture, by which its light is divided.
    func mean(in area: PictureArea) -> LinearRGB {
        // Between the centres of cells, the shading is bilinear, so the mean of 8x8 points is close to the integral.
        let steps = 8
        var sum = LinearRGB.zero
        for row in 0..<steps {
            for column in 0..<steps {
                let (x, y) = ((Double(column) + 0.5) / Double(steps), (Double(row) + 0.5) / Double(steps))
                sum = sum + value(x: area.x + x * area.width, y: area.y + y * area.height)
            }
        }
        return sum / Double(steps * steps)
    }

    /// Returns the shading at a point, interpolated between the centres of cells, and extrapolated beyond the
    /// outermost.
    private func value(x: Double, y: Double) -> LinearRGB {
        func place(_ share: Double, _ count: Int) -> (index: Int, rest: Double) {
            let place = share * Double(count) - 0.5
            let index = min(max(Int(place.rounded(.down)), 0), count - 2)
            return (index, place - Double(index))
        }
        let ((column, right), (row, below)) = (place(x, columns), place(y, rows))
        let start = row * columns + column
        let above = cells[start] * (1 - right) + cells[start + 1] * right
        let under = cells[start + columns] * (1 - right) + cells[start + columns + 1] * right
        // An extrapolated cell is never black.
        return (above * (1 - below) + under * below).map { max($0, Self.minShare / 10) }
    }
}

extension Channels where Value == Double {
    static func - (left: Self, right: Self) -> Self { left.combined(with: right, by: -) }
}
