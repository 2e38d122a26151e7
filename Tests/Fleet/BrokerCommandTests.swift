import Testing

@testable import Fleet

@Suite("Commands from the broker")
struct BrokerCommandTests {
    private func command(_ name: Substring, _ payload: String) throws -> BrokerCommand {
        try BrokerCommand(name, Array(payload.utf8))
    }

    @Test(
        "a command is read from its topic and its payload",
        arguments: [
            ("camera", " next\n", BrokerCommand.camera("next")), ("effect", "edges", .effect("edges")),
            ("effect", "off", .effect("none")), ("rate", "2.5", .rate(2.5)), ("locked", "ON", .lock(true)),
            ("locked", "OFF", .lock(false)), ("sample", "PRESS", .sample),
        ] as [(Substring, String, BrokerCommand)])
    func valid(_ name: Substring, _ payload: String, _ expected: BrokerCommand) throws {
        #expect(try command(name, payload) == expected)
        #expect(BrokerCommand.Name(rawValue: String(name)) != nil)
    }

    @Test(
        "anything else is refused in a sentence, without control characters",
        arguments: [
            ("rate", "inf", "set/rate: \"inf\" is not a number."),
            ("rate", "", "set/rate: \"\" is not a number."),
            ("locked", "on", "set/locked: \"on\" is neither ON nor OFF."),
            ("sample", "\u{1B}[2J", "set/sample: \"\\u001B[2J\" is not PRESS."),
            ("camera", " ", "set/camera: expected \"next\" or the id of a camera."),
            ("a\u{1B}b", "x", "set/a\u{FFFD}b: there is no such command."),
            ("", "x", "set/: there is no such command."),
        ] as [(Substring, String, String)])
    func refused(_ name: Substring, _ payload: String, _ sentence: String) {
        #expect(throws: BrokerCommand.Refusal(sentence: sentence)) { try command(name, payload) }
    }

    @Test("a payload of up to 512 bytes is read; a longer one, and bytes that are not UTF-8, are refused")
    func length() throws {
        let name = String(repeating: "x", count: 512)
        #expect(try command("camera", name) == .camera(name))
        #expect(throws: BrokerCommand.Refusal(sentence: "set/camera: more than 512 bytes.")) {
            try command("camera", name + "x")
        }
        #expect(throws: BrokerCommand.Refusal(sentence: "set/effect: the payload is not UTF-8.")) {
            try BrokerCommand("effect", [0xFF])
        }
    }
}
