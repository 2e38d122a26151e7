import CV4L2
import FakeDriver
import Glibc
import ModelCamera
import Testing

@testable import V4L2

@Suite("Setting up a sensor")
struct SensorSetUpTests {
    private let model = ModelSensor()

    private static let enabled = UInt32(MEDIA_LNK_FL_ENABLED)
    private static let dynamic = UInt32(MEDIA_LNK_FL_DYNAMIC)

    @Test("a link keeps its other flags when it is enabled or disabled")
    func flags() throws {
        model.links[ModelSensor.toCapture] = Self.dynamic
        model.links[ModelSensor.toOutput] = Self.enabled | Self.dynamic
        try model.withDevice { device in
            var device = device
            _ = try device.setUpGraph("pRAA", width: 640, height: 480)
            #expect(model.links[ModelSensor.toCapture] == Self.enabled | Self.dynamic)
            #expect(model.links[ModelSensor.toOutput] == Self.dynamic)
        }
        #expect(model.links[ModelSensor.toOutput] == Self.enabled | Self.dynamic)
    }
}
