import Handoff
import Testing

@testable import Swatchcam

@Suite("Terminal")
struct TerminalTests {
    @Test(
        "SIGHUP is ignored if its bit in the process's status is set",
        arguments: [
            ("0000000000000001", true), ("0000000000000003", true), ("0000000000000002", false),
            ("0000000000001000", false), ("0000000000000000", false), ("none", false),
        ])
    func hangup(mask: String, isIgnored: Bool) {
        let status = "Name:\tswatchcam\nSigBlk:\t0000000000000001\nSigIgn:\t\(mask)\nSigCgt:\t0000000000000001\n"
        #expect(Terminal.ignoresHangup(status: status) == isIgnored)
        #expect(!Terminal.ignoresHangup(status: "Name:\tswatchcam\n"))
    }

    @Test("a terminal is gone if it was open and no longer is, unless the program ignores SIGHUP")
    func gone() {
        let isOpen = Latest(true)
        let (plain, nohup) = (
            Terminal(ignoresHangup: false) { isOpen.value }, Terminal(ignoresHangup: true) { isOpen.value }
        )
        #expect(!plain.isGone && !nohup.isGone)
        isOpen.publish(false)
        #expect(plain.isGone && !nohup.isGone)
        #expect(!Terminal(ignoresHangup: false) { false }.isGone)
    }
}
