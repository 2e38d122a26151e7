import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Pixels
@testable import Readings
@testable import State

@Suite("The watch on whether the scene has moved")
final class SceneWatchTests: PumpSuite {
    private let controls = Latest(SceneControls())

    override init() throws {
        try super.init()
        set(Region(x: 0.2, y: 0.2, width: 0.2, height: 0.2))
    }

    private func set(_ region: Region) { config.update { $0.effective.readings.region = region } }

    private func source() -> TestPattern {
        TestPattern(width: 160, height: 120, framesPerSecond: 4, controls: controls, clocks: clock.clocks)
    }

    private func pump(of source: borrowing TestPattern) throws -> FramePump {
        try pump(of: source, camera: TestPattern.camera, state: .testPattern)
    }

    private var flag: Quality.Flag? { readings.value.quality?.flags.first { $0.code == .moved } }

    /// Publishes readings for some seconds.
    private func run(_ pump: inout FramePump, _ source: inout TestPattern, seconds: Double) throws {
        let end = clock.now + seconds
        while clock.now < end {
            clock.advance(to: clock.now + 0.25)
            _ = try pump.step(&source, waker: waker)
        }
    }

    @Test("a nudge of 3 pixels is flagged within 2 s, and the flag ends when the picture is back")
    func nudge() throws {
        var source = source()
        var pump = try pump(of: source)
        try run(&pump, &source, seconds: 3)
        #expect(flag == nil)
        controls.update { $0.nudge = 3 }
        try run(&pump, &source, seconds: 2)
        let found = try #require(flag)
        #expect(abs(found.value - 3) < 0.3)
        #expect(found.grade == .fair)
        #expect(found.message.hasPrefix("The picture has moved by 3.0 pixels since"))
        controls.update { $0.nudge = 0 }
        try run(&pump, &source, seconds: 2)
        #expect(flag == nil)
    }

    @Test("the flag ends when the area is set anew")
    func setAnew() throws {
        var source = source()
        var pump = try pump(of: source)
        try run(&pump, &source, seconds: 2)
        controls.update { $0.nudge = 5 }
        try run(&pump, &source, seconds: 2)
        #expect(flag != nil)
        set(Region(x: 0.23, y: 0.2, width: 0.2, height: 0.2))
        try run(&pump, &source, seconds: 2)
        #expect(flag == nil)
    }

    @Test("a camera that was moved while it was away is flagged when it is back")
    func away() throws {
        var source = source()
        var pump = try pump(of: source)
        try run(&pump, &source, seconds: 2)
        controls.update { $0.nudge = 4 }
        var next = try self.pump(of: source)
        next.scene = pump.scene
        try run(&next, &source, seconds: 1)
        #expect(flag != nil)
    }

    @Test("the whole picture is never flagged")
    func wholePicture() throws {
        set(.full)
        var source = source()
        var pump = try pump(of: source)
        try run(&pump, &source, seconds: 2)
        controls.update { $0.nudge = 5 }
        try run(&pump, &source, seconds: 2)
        #expect(flag == nil)
    }

    @Test("ten minutes of noise, under a lamp that halves its brightness and changes its colour, has no flag")
    func tenMinutes() throws {
        let painter = TestPatternPainter(width: 80, height: 60)
        let layout = PictureLayout(
            format: try #require(PixelFormat.named("RGB3")), encoding: ColorEncoding(matrix: .bt601, range: .full),
            width: 80, height: 60, bytesPerLine: [240])
        let analyser = try #require(Analyser(layout: layout, region: .full))
        let tiles = try #require(TileReader(analyser, around: [Region(x: 0.2, y: 0.2, width: 0.2, height: 0.2)]))
        let format = source().format
        let subject = SceneWatch.Subject("id", format, .init(config.value.effective))
        var watch = SceneWatch()
        for second in 0..<600 {
            // The lamp's cycle is a minute, of which every look sees another part.
            painter.paint(at: 1.01 * Double(second))
            let now = clock.now + Double(second)
            let isDue = watch.isDue(at: now, for: subject)
            #expect(isDue)
            let bytes = painter.bytes
            let profiles = unsafe tiles.profiles(of: bytes.span.bytes)
            watch.look(at: try #require(profiles), now)
            #expect(watch.moved == nil, "after \(second) s")
        }
    }

    @Test("the scene is looked at once a second at most")
    func interval() throws {
        let subject = SceneWatch.Subject("id", source().format, .init(config.value.effective))
        let nothing = TileProfiles.Tile(columns: Profile([], step: 1), rows: Profile([], step: 1))
        var watch = SceneWatch()
        var due: [Bool] = []
        for seconds in [0, 0.99, 1] {
            due.append(watch.isDue(at: clock.now + seconds, for: subject))
            if due.count == 1 { watch.look(at: TileProfiles(tiles: [], whole: nothing), clock.now) }
        }
        #expect(due == [true, false, true])
    }
}
