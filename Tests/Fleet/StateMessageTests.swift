import FoundationEssentials
import Readings
import TestSupport
import Testing

@testable import Fleet
@testable import Handoff

@Suite("The message about the colour")
struct StateMessageTests {
    private func json(_ message: StateMessage) -> String { String(decoding: message.payload, as: UTF8.self) }

    @Test("without a colour it has every key, null where there is no value")
    func noColor() throws {
        try expectGolden("state-none.json", json(StateMessage(.none, isLocked: false, name: "Bench")))
    }

    @Test("docs/mqtt.md lists every key; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        #expect(StateFigure.all.map(\.key) == StateFigure.all.map(\.key).sorted())
        try expectTable(
            "state", in: "mqtt.md",
            StateFigure.all.map { ["`\($0.key)`", $0.meaning, $0.entity?.label ?? ""] })
    }

    @Test("a reading whose colour has expired has none, and is not called live")
    func expired() {
        let reading = Reading.sample.with { $0.expiry = MonotonicTime(nanoseconds: 0) }
        let message = StateMessage(reading.asOf(.now()), isLocked: true, name: "Bench")
        #expect(!message.hasColor)
        #expect(
            json(message).contains(
                ##""problem":true,"quality":null,"rate":4,"regionState":null,"rgb":null,"scales":[],"state":"lost""##))
    }

    @Test("a colour has its values, and the word off for no effect")
    func color() throws {
        let reading = Reading.sample
        let message = StateMessage(reading, isLocked: true, name: "Bench")
        try expectGolden("state.json", json(message))
        #expect(json(message).utf8.count < Inbox.maxPayload)
    }
}
