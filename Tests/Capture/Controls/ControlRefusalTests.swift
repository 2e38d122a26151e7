import Testing
import V4L2

@testable import Capture

@Suite("The controls that a camera refused to set")
struct ControlRefusalTests {
    @Test(
        "the sentence about refused controls names three and counts the others",
        arguments: [
            (0, nil), (1, "a0 is read-only."), (3, "a0 is read-only; a1 is read-only; a2 is read-only."),
            (4, "a0 is read-only; a1 is read-only; a2 is read-only; and 1 more."),
        ] as [(Int, String?)])
    func sentence(count: Int, list: String?) {
        let refusals = (0..<count).map { ControlRefusal(name: "a\($0)", reason: "is read-only") }
        #expect(refusals.sentence() == list.map { "camera.controls: " + $0 })
    }

    @Test("the sentence about refused controls has no full stop after a question mark")
    func question() {
        let refusals = [ControlRefusal(name: "gian", reason: "is not a control; did you mean gain?")]
        #expect(refusals.sentence() == "camera.controls: gian is not a control; did you mean gain?")
    }
}
