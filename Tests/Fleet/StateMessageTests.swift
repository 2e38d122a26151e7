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
    func noColor() {
        let message = StateMessage(.none, isLocked: false, name: "Bench")
        #expect(
            json(message)
                == #"{"brightness":null,"camera":null,"cct":null,"concentration":null,"effect":"off","hex":null,"hue":null,"lightness":null,"#
                + #""locked":false,"name":"Bench","noise":null,"problem":true,"quality":null,"rate":0,"regionState":null,"rgb":null,"#
                + #""state":"starting","targets":[],"verdict":null}"#)
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
                ##""problem":true,"quality":null,"rate":4,"regionState":null,"rgb":null,"state":"lost""##))
    }

    @Test("a colour has its values, and the word off for no effect")
    func color() throws {
        let reading = Reading.sample
        let message = StateMessage(reading, isLocked: true, name: "Bench")
        #expect(
            json(message)
                == ##"{"brightness":58,"camera":"HD Pro Webcam C920","cct":null,"concentration":null,"effect":"off","##
                + ##""hex":"#3FA7D6","hue":198.6,"lightness":64.1,"locked":true,"name":"Bench","noise":null,"problem":false,"##
                + #""quality":null,"rate":4,"regionState":null,"rgb":[63,167,214],"state":"live","targets":[],"verdict":null}"#
        )
        #expect(json(message).utf8.count < Inbox.maxPayload)
    }
}
