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

    @Test("is not taken when somebody wants a frame already")
    func wanted() {
        rest.take(unless: { true }, { Issue.record("It rested.") })
    }

    @Test("ends when somebody wants a frame")
    func ended() {
        rest.take(unless: { false }) {
            #expect(!isWoken)
            rest.end()
            #expect(isWoken)
        }
    }

    @Test("ends when somebody wants a frame just after the thread looked")
    func endedAtOnce() {
        rest.take(unless: {
            rest.end()
            return false
        }) { #expect(isWoken) }
    }

    @Test("wakes the thread once, however many want a frame")
    func once() {
        rest.take(unless: { false }) {
            rest.end()
            #expect(isWoken)
            rest.end()
            #expect(!isWoken)
        }
    }

    @Test("is the only wait that is ended: no client shortens a pause between two attempts to open a camera")
    func otherWaits() {
        rest.end()
        #expect(!isWoken)
        rest.take(unless: { false }, {})
        rest.end()
        #expect(!isWoken)
    }

    @Test("can be taken again after it was ended")
    func again() {
        for _ in 1...2 {
            rest.take(unless: { false }) {
                rest.end()
                #expect(isWoken)
            }
        }
    }
}
