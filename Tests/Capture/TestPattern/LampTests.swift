import Testing

@testable import Capture

@Suite("The lamp over the test pattern")
struct LampTests {
    @Test("the lamp changes nothing at the beginning of each cycle", arguments: [0.0, 60, 600, 86400])
    func beginning(seconds: Double) {
        #expect(Lamp.gains(at: seconds) == Lamp.Gains(red: 1, green: 1, blue: 1))
    }

    @Test("the lamp is warm on the way down, half as bright in the middle, and cool on the way up")
    func cycle() {
        func close(_ seconds: Double, _ red: Double, _ green: Double, _ blue: Double) -> Bool {
            let gains = Lamp.gains(at: seconds)
            return abs(gains.red - red) < 1e-9 && abs(gains.green - green) < 1e-9 && abs(gains.blue - blue) < 1e-9
        }
        #expect(close(15, 0.9, 0.75, 0.6))
        #expect(close(30, 0.5, 0.5, 0.5))
        #expect(close(45, 0.6, 0.75, 0.9))
        #expect(close(75, 0.9, 0.75, 0.6))
    }
}
