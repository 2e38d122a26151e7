import Testing

@testable import Capture

@Suite("The noise of the test pattern")
struct SensorNoiseTests {
    @Test("the noise has a mean of exactly 0, and a standard deviation of one code value")
    func moments() {
        let values = SensorNoise.values(bytesPerLine: 0).map(Double.init)
        #expect(values.count == 65536)
        #expect(values.reduce(0, +) == 0)
        let variance = values.map { $0 * $0 }.reduce(0, +) / 65536
        #expect(abs(variance.squareRoot() / 256 - 1) < 0.01)
        // As in a normal distribution, 68.3 % lie within one deviation and 95.4 % within two.
        #expect(abs(Double(values.count { abs($0) <= 256 }) / 65536 - 0.683) < 0.01)
        #expect(abs(Double(values.count { abs($0) <= 512 }) / 65536 - 0.954) < 0.01)
    }

    @Test("a row that begins at the last position has as much noise as it has bytes")
    func wraps() {
        let values = SensorNoise.values(bytesPerLine: 100)
        #expect(values.count == 65636)
        #expect(Array(values.suffix(100)) == Array(values.prefix(100)))
    }

    @Test("neighbouring rows and frames begin at different positions of the noise")
    func positions() {
        let positions = (0..<100).flatMap { row in
            [0, 66667, 133_333].map { SensorNoise.position(row: row, microseconds: $0) }
        }
        #expect(Set(positions).count > 290)
        #expect(positions.allSatisfy { (0..<65536).contains($0) })
    }
}
