import Testing

@testable import Pixels

@Suite("Region")
struct RegionTests {
    @Test(
        "a region covers the pixels between its rounded edges",
        arguments: [
            (Region.full, PixelRect(x: 0, y: 0, width: 640, height: 480)),
            (Region(x: 0.25, y: 0.5, width: 0.5, height: 0.25), PixelRect(x: 160, y: 240, width: 320, height: 120)),
            (Region(x: 1.0 / 3, y: 0, width: 1.0 / 3, height: 1), PixelRect(x: 213, y: 0, width: 214, height: 480)),
            (Region(x: 0.999, y: 0.999, width: 0.001, height: 0.001), PixelRect(x: 639, y: 479, width: 1, height: 1)),
        ])
    func pixels(region: Region, rect: PixelRect) {
        #expect(region.pixels(width: 640, height: 480) == rect)
    }

    @Test(
        "a region has at least one pixel and stays inside the picture, whatever its numbers",
        arguments: [
            Region(x: 2, y: 2, width: 1, height: 1), Region(x: -1, y: -1, width: 0.5, height: 0.5),
            Region(x: 0.5, y: 0.5, width: 0, height: 0), Region(x: .nan, y: .infinity, width: .nan, height: 9e300),
            Region(x: 0.9, y: 0.9, width: 0.9, height: 0.9),
        ], [1, 2, 3, 640])
    func stayInside(region: Region, size: Int) {
        let rect = region.pixels(width: size, height: size)
        #expect(rect.width >= 1 && rect.height >= 1)
        #expect(rect.x >= 0 && rect.y >= 0)
        #expect(rect.x + rect.width <= size && rect.y + rect.height <= size)
    }

    @Test("two regions that share an edge neither share nor omit a pixel", arguments: [7, 64, 641])
    func tiles(size: Int) {
        let cut = 0.37
        let left = Region(x: 0, y: 0, width: cut, height: 1).pixels(width: size, height: 1)
        let right = Region(x: cut, y: 0, width: 1 - cut, height: 1).pixels(width: size, height: 1)
        #expect(left.x + left.width == right.x)
        #expect(right.x + right.width == size)
    }
}
