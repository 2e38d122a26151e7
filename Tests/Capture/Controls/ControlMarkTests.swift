import Handoff
import Readings
import TestSupport
import Testing

@testable import Capture
@testable import State
@testable import V4L2

@Suite("Marks for controls")
struct ControlMarkTests {
    private func control(
        _ id: UInt32, _ label: String, _ value: Int64, kind: Control.Kind = .integer, isReadOnly: Bool = false
    ) -> Control {
        Control(
            id: id, name: label.lowercased(), label: label, kind: kind, minimum: 0, maximum: 100, step: 1,
            value: .number(value),
            choices: [.menu, .integerMenu].contains(kind) ? [.init(value: 2, name: "50 Hz")] : [],
            isReadOnly: isReadOnly, isInactive: false)
    }

    private func state(_ controls: [Control], camera: String? = "a", lock: MeasuringLock? = nil) -> ControlState {
        var state = ControlState()
        state.camera = camera.map { .init(id: $0, name: "Camera") }
        state.controls = controls
        state.lock = lock
        return state
    }

    @Test("a control that is set has a mark with its value as a person reads it")
    func set() {
        let before = state([
            control(1, "Gain", 1), control(2, "Flip", 0, kind: .boolean), control(3, "Line", 0, kind: .menu),
            control(4, "ISO", 0, kind: .integerMenu),
        ])
        func mark(_ changed: Control) -> ControlState.ChangeMark? {
            state(before.controls.map { $0.id == changed.id ? changed : $0 }).mark(since: before)
        }
        #expect(mark(control(1, "Gain", 64)) == .init(kind: .controls, text: "Gain: 64", subject: "gain"))
        #expect(mark(control(2, "Flip", 1, kind: .boolean))?.text == "Flip: on")
        #expect(mark(control(3, "Line", 2, kind: .menu))?.text == "Line: 50 Hz")
        #expect(mark(control(4, "ISO", 2, kind: .integerMenu))?.text == "ISO: 50 Hz")
        #expect(mark(control(1, "Gain", 1)) == nil)
    }

    @Test("several controls that are set at once share one mark")
    func many() {
        let before = state((1...5).map { control($0, "C\($0)", 0) })
        let after = state((1...5).map { control($0, "C\($0)", 9) })
        #expect(after.mark(since: before)?.text == "C1: 9, C2: 9, C3: 9 and 2 more")
    }

    @Test("there is no mark for the controls of another camera or of none, nor for read-only controls")
    func notSet() {
        let (before, after) = ([control(1, "Gain", 1)], [control(1, "Gain", 2)])
        #expect(state(after, camera: "b").mark(since: state(before)) == nil)
        #expect(state(after, camera: nil).mark(since: state(before, camera: nil)) == nil)
        #expect(state([control(1, "Gain", 2, isReadOnly: true)]).mark(since: state(before)) == nil)
        #expect(state(after).mark(since: .none) == nil)
    }

    @Test("locking and unlocking have one mark each, whatever controls they set")
    func lock() {
        let locked = MeasuringLock.locked(
            .init(isSettled: true, locked: [], missing: [], refused: [], before: []))
        let (open, closed) = (state([control(1, "Gain", 1)]), state([control(1, "Gain", 2)], lock: locked))
        #expect(
            closed.mark(since: open)
                == .init(kind: .lock, text: "The automatic controls were locked for measuring.", subject: nil))
        #expect(
            open.mark(since: closed) == .init(kind: .lock, text: "The automatic controls were unlocked.", subject: nil))
        #expect(closed.mark(since: closed) == nil)
    }
}
