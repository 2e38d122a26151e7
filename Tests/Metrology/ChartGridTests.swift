import Testing

@testable import Metrology

@Suite("The patches between the corners of a chart")
struct ChartGridTests {
    private func grid(_ corners: ChartGrid.Point..., columns: Int = 6, count: Int = 24) -> [PictureArea]? {
        ChartGrid(corners: corners, columns: columns, count: count)?.areas
    }

    private func isClose(_ area: PictureArea?, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Bool {
        guard let area else { return false }
        let differences = [area.x - x, area.y - y, area.width - width, area.height - height]
        return differences.allSatisfy { abs($0) < 1e-9 }
    }

    @Test("an upright chart has the middle half of each of its cells")
    func upright() throws {
        let areas = try #require(grid((0.1, 0.2), (0.7, 0.2), (0.7, 0.6), (0.1, 0.6)))
        #expect(areas.count == 24)
        #expect(isClose(areas[0], 0.125, 0.225, 0.05, 0.05))
        #expect(isClose(areas[23], 0.625, 0.525, 0.05, 0.05))
    }

    @Test("the first corner is that of the first patch, however the chart is turned or mirrored")
    func turned() throws {
        let half = try #require(grid((0.7, 0.6), (0.1, 0.6), (0.1, 0.2), (0.7, 0.2)))
        #expect(isClose(half[0], 0.625, 0.525, 0.05, 0.05))
        let mirrored = try #require(grid((0.7, 0.2), (0.1, 0.2), (0.1, 0.6), (0.7, 0.6)))
        #expect(isClose(mirrored[0], 0.625, 0.225, 0.05, 0.05))
        let quarter = try #require(grid((0.7, 0.2), (0.7, 0.8), (0.3, 0.8), (0.3, 0.2)))
        #expect(isClose(quarter[0], 0.625, 0.225, 0.05, 0.05))
        #expect(isClose(quarter[1], 0.625, 0.325, 0.05, 0.05))
    }

    @Test("perspective makes the far patches smaller, by the mapping of a plane")
    func perspective() throws {
        // The unit square under x = u / (1 + v), y = v / (1 + v), scaled.
        let areas = try #require(grid((0, 0), (1, 0), (0.5, 0.5), (0, 0.5), columns: 1, count: 2))
        // The patches meet at v = 1/2, which is y = 1/3 there, not 1/4.
        #expect(areas[0].y + areas[0].height < 1.0 / 3 && areas[1].y > 1.0 / 3)
        #expect(areas[1].width < areas[0].width)
    }

    @Test("the areas of a tilted chart lie inside of its patches")
    func tilted() throws {
        // A square chart on its tip: the middle half of a cell reaches 1/8 to each side of the cell's centre.
        let areas = try #require(grid((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5), columns: 2, count: 4))
        #expect(isClose(areas[0], 0.4375, 0.1875, 0.125, 0.125))
    }

    @Test("the last row may have fewer patches")
    func incomplete() throws {
        let areas = try #require(grid((0, 0), (1, 0), (1, 1), (0, 1), columns: 2, count: 3))
        #expect(isClose(areas[2], 0.125, 0.625, 0.25, 0.25))
    }

    @Test(
        "corners that are not those of a chart are refused",
        arguments: [
            [(0, 0), (1, 1), (1, 0), (0, 1)], [(0, 0), (1, 0), (0.4, 0.4), (0, 1)],
            [(0, 0), (0, 0), (0, 0), (0, 0)], [(0, 0), (0.5, 0), (1, 0), (0, 1)],
            [(0, 0), (1, 0), (1, 1.1), (0, 1)], [(.nan, 0), (1, 0), (1, 1), (0, 1)],
            [(0, 0), (0.003, 0), (0.003, 0.003), (0, 0.003)], [(0, 0), (1, 0), (1, 1)],
        ] as [[ChartGrid.Point]])
    func refused(corners: [ChartGrid.Point]) {
        #expect(ChartGrid(corners: corners, columns: 6, count: 24) == nil)
    }
}
