import CV4L2
import Color
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The lock in the control loop")
struct ControlLockTests {
    private let fixture: ControlLoopFixture

    init() throws {
        fixture = try ControlLoopFixture()
        fixture.addWebcam()
        fixture.readings.update { $0.mean = .init(r: 1, g: 2, b: 3) }
    }

    private var isLocked: Bool {
        if case .locked = fixture.state.value.lock { true } else { false }
    }

    private var isSettling: Bool {
        if case .settling = fixture.state.value.lock { true } else { false }
    }

    /// Advances the clock by 1.5 s, in which the lock settles.
    private func settle() { fixture.advance(1.5) }

    @Test("locking waits until the automatic controls have settled, turns them off, and keeps what they chose")
    func lock() {
        var phases: [Bool] = []
        fixture.run(
            fixture.asking(.lock),
            {
                phases.append(isSettling)
                fixture.advance(1.4)
            },
            {
                phases.append(isSettling)
                fixture.advance(0.2)
            }, {})
        #expect(phases == [true, true])
        #expect(isLocked)
        #expect(fixture.answers == ["done"])
        #expect(fixture.model.changes == [ControlLoopFixture.whiteBalance, ControlLoopFixture.temperature])
        #expect(fixture.value("white_balance_automatic") == .number(0))
        #expect(fixture.value("white_balance_temperature") == .number(4000))
        #expect(fixture.recorder.lines == ["The camera's automatic controls are locked."])
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("a camera that refuses to turn its automatic control off is not locked, and a notice says so")
    func refused() {
        fixture.model.refusals = [ControlLoopFixture.whiteBalance: ERANGE]
        fixture.run(fixture.asking(.lock), { settle() }, {})
        #expect(!isLocked && !isSettling)
        let message = "Not all controls were locked: white_balance_automatic"
        #expect(fixture.notices.all.contains { $0.message.hasPrefix(message) })
        #expect(fixture.recorder.lines.allSatisfy { $0.hasPrefix(message) })
    }

    @Test("while the lock settles, the controls' values are published and readings are demanded")
    func settling() {
        var observed: [Bool] = []
        fixture.run(
            { observed.append(fixture.demand.isWatching) }, fixture.asking(.lock),
            {
                observed.append(fixture.demand.isWatching)
                fixture.model.values[ControlLoopFixture.temperature] = .number(4100)
            },
            {
                observed.append(fixture.value("white_balance_temperature") == .number(4100))
                settle()
            }, { observed.append(fixture.demand.isWatching) })
        #expect(observed == [false, true, true, false])
    }

    @Test("locking and unlocking start statistics again, even if there is nothing to turn off")
    func influence() {
        fixture.model.values[ControlLoopFixture.whiteBalance] = .number(0)
        var changes: [Int] = []
        fixture.run(
            fixture.asking(.lock),
            {
                changes.append(fixture.influence.value.changeCount)
                settle()
            },
            {
                changes.append(fixture.influence.value.changeCount)
                fixture.ask(.unlock)
            }, { changes.append(fixture.influence.value.changeCount) })
        #expect(changes == [0, 1, 2])
    }

    @Test(
        "unlocking turns the automatic controls on again, also after a second lock, or when the camera was opened again",
        arguments: ["at once", "twice", "reopened"])
    func unlock(when: String) {
        let between: [() -> Void] =
            switch when {
            case "twice": [fixture.asking(.lock), settle]
            case "reopened": interruption
            default: []
            }
        fixture.run([fixture.asking(.lock), settle] + between + [{ #expect(isLocked) }, fixture.asking(.unlock), {}])
        #expect(fixture.opened.count == (when == "reopened" ? 2 : 1))
        #expect(fixture.value("white_balance_automatic") == .number(1))
        #expect(fixture.state.value.lock == nil)
        #expect(Set(fixture.answers) == ["done"])
    }

    @Test("unlocking before the lock has settled sets nothing")
    func unlockEarly() {
        fixture.run(fixture.asking(.lock), fixture.asking(.unlock), settle, {})
        #expect(fixture.model.changes.isEmpty)
        #expect(fixture.state.value.lock == nil)
    }

    /// Takes the camera away, and gives it back.
    private var interruption: [() -> Void] {
        let camera = fixture.camera.value
        return [{ [fixture] in fixture.camera.publish(nil) }, { [fixture] in fixture.camera.publish(camera) }]
    }

    @Test(
        "a lock ends when the camera returns with other values, another one is used, or the controls are reset",
        arguments: ["other values", "other camera", "reset"])
    func ends(by event: String) {
        let events: [() -> Void] =
            switch event {
            case "other values":
                [
                    interruption[0], { fixture.model.values[ControlLoopFixture.temperature] = .number(5000) },
                    interruption[1],
                ]
            case "other camera": [{ fixture.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1")) }]
            default: [fixture.asking(.reset)]
            }
        fixture.run([fixture.asking(.lock), settle] + events + [{}])
        #expect(fixture.state.value.camera?.id == (event == "other camera" ? "usb-B" : "usb-A"))
        #expect(fixture.state.value.lock == nil)
    }

    @Test("the document of a settling lock has its phase, and its seconds to a tenth")
    func document() {
        var settling = Settling(at: MonotonicTime(nanoseconds: 0))
        settling.observe([], mean: nil, at: MonotonicTime(nanoseconds: 1_260_000_000))
        let document = String(decoding: JSONWriter.data(MeasuringLock.settling(settling)), as: UTF8.self)
        #expect(document == #"{"phase":"settling","seconds":1.3}"#)
    }
}
