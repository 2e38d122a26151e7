import Pixels

/// A painter of the test pattern's frames. It paints the scene once, and lights it for each frame.
struct TestPatternPainter {
    /// The newest frame as R, G, B.
    private(set) var bytes: [UInt8] = []
    private let width: Int
    private let height: Int
    private var scene: [UInt8] = []
    private var noise: [Int16] = []

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Paints the frame for a time after the start, in seconds.
    mutating func paint(at seconds: Double) {
        if bytes.isEmpty {
            scene = TestScene.paint(width: width, height: height)
            noise = SensorNoise.values(bytesPerLine: width * 3)
            bytes = scene
        }
        let gains = Lamp.gains(at: seconds)
        let microseconds = Int64((seconds * 1e6).rounded())
        Relighting(red: gains.red, green: gains.green, blue: gains.blue).light(
            scene, bytesPerLine: width * 3, noise: noise,
            offset: { SensorNoise.position(row: $0, microseconds: microseconds) }, into: &bytes)
    }
}
