import CV4L2
import Color
import ModelCamera
import Pixels
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Setting the exposure in the control loop")
struct ControlExposureTests {
    private static let exposure = UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)
    private static let gain = UInt32(V4L2_CID_GAIN)

    private let fixture: ControlLoopFixture

    init() throws {
        fixture = try ControlLoopFixture()
        fixture.model.add(V4L2_CID_GAIN, "Gain", V4L2_CTRL_TYPE_INTEGER, 1...16, value: 4)
        fixture.model.add(V4L2_CID_EXPOSURE_AUTO, "Auto Exposure", V4L2_CTRL_TYPE_INTEGER, 0...3, value: 3)
        fixture.model.add(
            V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 1...2000,
            flags: V4L2_CTRL_FLAG_INACTIVE, value: 50)
        fixture.model.afterChange = { [unowned fixture] id in
            guard id == ControlLoopFixture.exposureMode else { return }
            let isManual = fixture.model.values[id] == .number(1)
            fixture.model.setFlags(isManual ? 0 : V4L2_CTRL_FLAG_INACTIVE, of: V4L2_CID_EXPOSURE_ABSOLUTE)
        }
    }

    private func number(_ id: UInt32) -> Double {
        if case .number(let number) = fixture.model.values[id] { Double(number) } else { 0 }
    }

    /// Makes a reading of a frame that is captured now, whose light follows exposure and gain.
    private func capture() {
        fixture.advance(0.25)
        let light = min(1, number(Self.exposure) * number(Self.gain) / 1000)
        var counts = [Int](repeating: 0, count: 256)
        counts[Int((255 * SRGB.encoded(light)).rounded())] = 100
        fixture.readings.update {
            $0 = .sample
            $0.frame?.time = fixture.now
            $0.statistics?.histogram = Histogram(r: counts, g: counts, b: counts)
        }
    }

    private var frames: [() -> Void] { [() -> Void](repeating: { capture() }, count: 30) }

    private var result: ExposureState.Result? { fixture.state.value.exposure?.result }

    @Test("the exposure is set manually with the lowest gain, and stays")
    func set() {
        fixture.run([fixture.asking(.setExposure)] + frames)
        #expect(fixture.answers == ["done"])
        #expect(result?.problem == nil)
        #expect(abs((result?.level ?? 0) - 0.8) <= 0.03)
        #expect(fixture.value("gain") == .number(1))
        #expect(fixture.value("auto_exposure") == .number(1))
        #expect(abs(number(Self.exposure) - 800) <= 30)
        #expect(
            result?.values.configuration
                == "[camera.controls]\ngain = 1\nauto_exposure = 1\nexposure_time_absolute = \(Int(number(Self.exposure)))\n"
        )
        #expect(fixture.recorder.lines == ["The exposure is set."])
    }

    @Test("while the exposure is set, readings are demanded, and the document says so")
    func setting() {
        var observed: [String] = []
        let observe = {
            let document = String(decoding: JSONWriter.data(fixture.state.value), as: UTF8.self)
            observed.append("\(fixture.demand.isWatching) \(document.contains(#""phase":"setting""#))")
        }
        fixture.run([observe, fixture.asking(.setExposure), observe] + frames + [observe])
        #expect(observed == ["false false", "true true", "false false"])
    }

    @Test("a camera without an exposure control is refused, and its document has no exposure")
    func none() {
        fixture.model.list.removeAll { $0.id == Self.exposure }
        fixture.run(fixture.asking(.setExposure), {})
        #expect(fixture.answers == [#"refused("This camera has no control for its exposure.")"#])
        #expect(String(decoding: JSONWriter.data(fixture.state.value), as: UTF8.self).contains(#""exposure":null"#))
        #expect(fixture.model.changes.isEmpty)
    }

    @Test("if the camera refuses at the start, everything is as before")
    func refusedAtStart() {
        fixture.model.refusals[Self.gain] = EIO
        fixture.run(fixture.asking(.setExposure), {})
        #expect(fixture.answers.first?.hasPrefix("refused(") == true)
        #expect(number(ControlLoopFixture.exposureMode) == 3)
        #expect(fixture.state.value.exposure == nil)
    }

    @Test("if the camera refuses later, the last values that worked stay, with the reason")
    func refusedLater() {
        fixture.run(
            [fixture.asking(.setExposure), { fixture.model.refusals[Self.exposure] = EIO }] + frames)
        if case .refused = result?.problem {} else { Issue.record("no refusal") }
        #expect(number(Self.exposure) == 50)
        #expect(number(ControlLoopFixture.exposureMode) == 1)
        #expect(result?.level.map { abs($0 - 0.05) < 0.01 } == true)
    }

    @Test("cancelling before anything was measured restores the controls")
    func cancelledEarly() {
        fixture.run(fixture.asking(.setExposure), fixture.asking(.cancelExposure), {})
        #expect(result?.problem == .cancelled)
        #expect(number(ControlLoopFixture.exposureMode) == 3)
        #expect(number(Self.gain) == 4)
    }

    @Test("cancelling later, or the end of the program, keeps the best values so far", arguments: [true, false])
    func stoppedLater(isCancelled: Bool) {
        let rest = isCancelled ? [fixture.asking(.cancelExposure), {}] : []
        fixture.run([fixture.asking(.setExposure)] + frames.prefix(3) + rest)
        #expect(result?.problem == .cancelled)
        #expect(number(Self.exposure) == 50 && number(Self.gain) == 1)
        #expect(number(ControlLoopFixture.exposureMode) == 1)
    }

    @Test(
        "a client that sets one of the values ends the search or its outcome, and the value holds",
        arguments: [(3, "exposure_time_absolute", 77), (30, "gain", 3)])
    func byHand(count: Int, name: String, value: Int) {
        fixture.run(
            [fixture.asking(.setExposure)] + frames.prefix(count) + [fixture.asking(.set(name: name, .integer(value)))]
                + frames)
        #expect(fixture.value(name) == .number(Int64(value)))
        #expect(fixture.state.value.exposure == nil)
    }

    @Test("another control can be set meanwhile")
    func anotherControl() {
        fixture.model.add(V4L2_CID_BRIGHTNESS, "Brightness", value: 100)
        fixture.run([fixture.asking(.setExposure), fixture.asking(.set(name: "brightness", .integer(7)))] + frames)
        #expect(result?.problem == nil && result != nil)
    }

    @Test(
        "setting the exposure and locking exclude each other",
        arguments: [
            (.setExposure, .lock, #"refused("The exposure is being set. Lock when that has ended.")"#),
            (.lock, .setExposure, #"refused("The controls are about to be locked. Set the exposure after that.")"#),
        ] as [(ControlCommand, ControlCommand, String)])
    func lock(first: ControlCommand, second: ControlCommand, answer: String) {
        fixture.run(fixture.asking(first), fixture.asking(second), {})
        #expect(fixture.answers.last == answer)
    }

    @Test("a lock holds with the exposure that is set while it is on")
    func locked() {
        fixture.run(
            [fixture.asking(.lock), { fixture.advance(11) }, {}, fixture.asking(.setExposure)] + frames)
        guard case .locked(let lock) = fixture.state.value.lock else {
            Issue.record("not locked")
            return
        }
        #expect(lock.locked.hold(among: fixture.state.value.controls))
        #expect(result?.problem == nil && result != nil)
    }

    @Test("setting the exposure has one mark, at its end")
    func mark() {
        var states: [ControlState] = []
        let keep = { states.append(fixture.state.value) }
        fixture.run([keep, fixture.asking(.setExposure), keep] + frames + [keep])
        #expect(states[1].mark(since: states[0]) == nil)
        #expect(states[2].mark(since: states[1])?.text.hasPrefix("Gain: 1, Auto Exposure: 1, Exposure Time") == true)
    }
}
