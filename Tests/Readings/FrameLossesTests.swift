import Testing

@testable import Handoff
@testable import Readings

@Suite("The newest losses of frames")
struct FrameLossesTests {
    private let start = MonotonicTime(nanoseconds: 3_000_000_000)

    @Test("losses count for ten seconds, and their share is that of all frames")
    func window() {
        var losses = FrameLosses()
        #expect(losses.note(total: 100, rate: 10, at: start).frames == 0)
        let newest = losses.note(total: 110, rate: 10, at: start + 4)
        #expect(newest == FrameLosses.Losses(frames: 10, seconds: 4, share: 0.2))
        #expect(losses.note(total: 110, rate: 10, at: start + 10).frames == 10)
        #expect(losses.note(total: 110, rate: 10, at: start + 10.1).frames == 0)
    }

    @Test("losses before the first reading do not count")
    func earlier() {
        var losses = FrameLosses()
        #expect(losses.note(total: 100, rate: 10, at: start).share == 0)
        #expect(losses.note(total: 100, rate: 10, at: start + 1).share == 0)
    }

    @Test("the losses of another camera count from its start")
    func otherCamera() {
        var losses = FrameLosses()
        _ = losses.note(total: 100, rate: 10, at: start)
        #expect(losses.note(total: 3, rate: 10, at: start + 1).frames == 0)
        #expect(losses.note(total: 5, rate: 10, at: start + 2).frames == 2)
    }
}
