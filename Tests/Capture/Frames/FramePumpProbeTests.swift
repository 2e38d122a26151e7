import Color
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The probes that the pump reads")
final class FramePumpProbeTests: PumpSuite {
    private func set(_ probes: (String, Region)...) {
        config.update { settings in
            settings.effective.probes = probes.map { Probe(name: $0.0, region: $0.1) }
        }
    }

    private let topLeft = Region(x: 0, y: 0, width: 0.25, height: 0.25)
    private let bottom = Region(x: 0, y: 0.75, width: 1, height: 0.25)

    @Test("probes are measured in the frame of the reading")
    func sameFrame() throws {
        set(("Corner", topLeft), ("Bottom", bottom))
        var source = ScriptedSource(clock)
        source.add([90] + [UInt8](repeating: 30, count: 11) + [200, 200, 100, 100])
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        let probes = readings.value.probes
        #expect(probes.map(\.probe.name) == ["Corner", "Bottom"])
        #expect(probes.map(\.measurement?.mean.r) == [90, 150])
        #expect(probes.map(\.measurement?.statistics?.regionPixels) == [1, 4])
        #expect(probes[1].measurement?.statistics?.maximum.r == 200)
        #expect(probes[0].measurement?.linear.map { abs($0.r - SRGB.linear(90 / 255)) < 1e-6 } == true)
    }

    @Test("probes average as many frames as the reading")
    func frames() throws {
        set(("Corner", topLeft))
        config.update { $0.effective.readings.frames = 2 }
        var source = ScriptedSource(clock)
        for value: UInt8 in [10, 30, 60] { source.add(value) }
        var pump = try pump(of: source)
        let means = try (0..<3).map { _ in
            _ = try pump.step(&source, waker: waker)
            return readings.value.probes.first?.measurement?.mean.r
        }
        #expect(means == [10, 20, 45])
    }

    @Test("a probe that is set while the camera runs is in the next reading, and disturbs no statistics")
    func edit() throws {
        var source = ScriptedSource(clock)
        for _ in 0..<10 { source.add(30) }
        var pump = try pump(of: source)
        for _ in 0..<8 { _ = try pump.step(&source, waker: waker) }
        #expect(readings.value.probes.isEmpty)
        set(("Corner", topLeft))
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.map(\.hex) == ["#1E1E1E"])
        #expect(readings.value.stability.noise != nil)
        set()
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.isEmpty)
    }

    @Test("a probe is the part of the picture that people see")
    func orientation() throws {
        set(("Corner", topLeft))
        config.update { $0.effective.camera.rotate = 180 }
        var source = ScriptedSource(clock)
        source.add([UInt8](repeating: 30, count: 15) + [90])
        var pump = try pump(of: source)
        _ = try pump.step(&source, waker: waker)
        #expect(readings.value.probes.map(\.measurement?.mean.r) == [90])
    }
}
