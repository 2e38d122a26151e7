import CV4L2
import ModelCamera
import TestSupport
import Testing
import Untrusted
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The lock in the control loop")
struct ControlLockTests {
    private let stage: ControlStage

    init() throws {
        stage = try ControlStage()
        stage.addWebcam()
        stage.readings.update { $0.mean = .init(r: 1, g: 2, b: 3) }
    }

    private var isLocked: Bool {
        if case .locked = stage.state.value.lock { true } else { false }
    }

    private var isSettling: Bool {
        if case .settling = stage.state.value.lock { true } else { false }
    }

    /// Advances the clock by 1.5 s, in which the lock settles.
    private func settle() { stage.advance(1.5) }

    @Test("locking waits until the automatic controls have settled, turns them off, and keeps what they chose")
    func lock() {
        var phases: [Bool] = []
        stage.run(
            stage.asking(.lock),
            {
                phases.append(isSettling)
                stage.advance(1.4)
            },
            {
                phases.append(isSettling)
                stage.advance(0.2)
            }, {})
        #expect(phases == [true, true])
        #expect(isLocked)
        #expect(stage.answers == ["done"])
        #expect(stage.model.changes == [ControlStage.whiteBalance, ControlStage.temperature])
        #expect(stage.value("white_balance_automatic") == .number(0))
        #expect(stage.value("white_balance_temperature") == .number(4000))
        #expect(stage.recorder.lines == ["The camera's automatic controls are locked."])
        #expect(stage.notices.all.isEmpty)
    }

    @Test("while the lock settles, the controls' values are published and readings are demanded")
    func settling() {
        var isWatching: [Bool] = []
        stage.run(
            { isWatching.append(stage.demand.isWatching) }, stage.asking(.lock),
            {
                isWatching.append(stage.demand.isWatching)
                stage.model.values[ControlStage.temperature] = .number(4100)
            },
            {
                isWatching.append(stage.value("white_balance_temperature") == .number(4100))
                settle()
            }, { isWatching.append(stage.demand.isWatching) })
        #expect(isWatching == [false, true, true, false])
    }

    @Test("locking and unlocking start statistics again, even if there is nothing to turn off")
    func influence() {
        stage.model.values[ControlStage.whiteBalance] = .number(0)
        var changes: [Int] = []
        stage.run(
            stage.asking(.lock),
            {
                changes.append(stage.influence.value.changeCount)
                settle()
            },
            {
                changes.append(stage.influence.value.changeCount)
                stage.ask(.unlock)
            }, { changes.append(stage.influence.value.changeCount) })
        #expect(changes == [0, 1, 2])
    }

    @Test("unlocking turns the automatic controls on again")
    func unlock() {
        stage.run(stage.asking(.lock), settle, stage.asking(.unlock), {})
        #expect(stage.value("white_balance_automatic") == .number(1))
        #expect(stage.state.value.lock == nil)
        #expect(stage.answers == ["done", "done"])
    }

    @Test("unlocking before the lock has settled sets nothing")
    func unlockEarly() {
        stage.run(stage.asking(.lock), stage.asking(.unlock), settle, {})
        #expect(stage.model.changes.isEmpty)
        #expect(stage.state.value.lock == nil)
    }

    @Test("a second lock keeps the values that the first has to restore")
    func twice() {
        stage.run(stage.asking(.lock), settle, stage.asking(.lock), settle, stage.asking(.unlock), {})
        #expect(stage.value("white_balance_automatic") == .number(1))
    }

    /// Takes the camera away, and gives it back.
    private var interruption: [() -> Void] {
        let camera = stage.camera.value
        return [{ [stage] in stage.camera.publish(nil) }, { [stage] in stage.camera.publish(camera) }]
    }

    @Test("a camera that is opened again with the locked values is still locked")
    func openedAgain() {
        stage.run([stage.asking(.lock), settle] + interruption + [{}])
        #expect(stage.opened.count == 2)
        #expect(isLocked)
    }

    @Test("unlocking a camera that was opened again turns the automatic controls on again")
    func unlockAgain() {
        stage.run([stage.asking(.lock), settle] + interruption + [stage.asking(.unlock), {}])
        #expect(stage.value("white_balance_automatic") == .number(1))
    }

    @Test("a camera that returns with other values is not locked")
    func otherValues() {
        let change = { [stage] in stage.model.values[ControlStage.temperature] = .number(5000) }
        stage.run([stage.asking(.lock), settle] + [interruption[0], change, interruption[1], {}])
        #expect(stage.state.value.lock == nil)
    }

    @Test("the lock of a camera is not that of another one")
    func anotherCamera() {
        stage.run(
            stage.asking(.lock), settle,
            { [stage] in stage.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1")) }, {})
        #expect(stage.state.value.camera?.id == "usb-B")
        #expect(stage.state.value.lock == nil)
    }

    @Test("a reset ends the lock")
    func reset() {
        stage.run(stage.asking(.lock), settle, stage.asking(.reset), {})
        #expect(stage.state.value.lock == nil)
    }

    @Test("the document of a settling lock has its phase, and its seconds to a tenth")
    func document() {
        var settling = Settling(at: MonotonicTime(nanoseconds: 0))
        settling.note([], mean: nil, at: MonotonicTime(nanoseconds: 1_260_000_000))
        let document = String(decoding: JSONText.data(of: MeasuringLock.settling(settling)), as: UTF8.self)
        #expect(document == #"{"phase":"settling","seconds":1.3}"#)
    }
}
