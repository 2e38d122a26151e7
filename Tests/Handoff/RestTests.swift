import Testing

@testable import Handoff

@Suite("The capture thread's rest")
struct RestTests {
    private let waker: Waker
    private let rest: Rest

    init() throws {
        waker = try Waker()
        rest = Rest(waker)
    }

    private var isWoken: Bool { waker.wait(until: .now()) }

    @Test("the thread does not rest if a frame is already wanted")
    func wanted() {
        rest.take(unless: { true }, { Issue.record("It rested.") })
    }

    @Test("a rest ends when a frame is wanted right after the thread checked the demand")
    func endedAtOnce() {
        rest.take(unless: {
            rest.end()
            return false
        }) { #expect(isWoken) }
    }

    @Test("a rest ends when a frame is wanted; the thread is woken once, however many clients want one")
    func once() {
        for _ in 1...2 {
            rest.take(unless: { false }) {
                #expect(!isWoken)
                rest.end()
                #expect(isWoken)
                rest.end()
                #expect(!isWoken)
            }
        }
    }

    @Test("a client does not shorten the pause between two attempts to open a camera")
    func otherWaits() {
        rest.end()
        #expect(!isWoken)
        rest.take(unless: { false }, {})
        rest.end()
        #expect(!isWoken)
    }
}
