import Testing

@testable import Handoff
@testable import Readings

@Suite("The newest losses of frames")
struct FrameLossesTests {
    private let start = MonotonicTime(nanoseconds: 3_000_000_000)

    /// Records a total, and returns the losses.
    private func losses(_ losses: inout FrameLosses, total: UInt64, at seconds: Double) -> FrameLosses.Losses {
        losses.record(total: total, at: start + seconds)
        return losses.losses(total: total, rate: 10, at: start + seconds)
    }

    @Test("losses count for ten seconds, and their share is that of all frames")
    func window() {
        var all = FrameLosses()
        #expect(losses(&all, total: 100, at: 0).frames == 0)
        #expect(losses(&all, total: 110, at: 4) == FrameLosses.Losses(frames: 10, seconds: 4, share: 0.2))
        #expect(losses(&all, total: 110, at: 10).frames == 10)
        #expect(losses(&all, total: 110, at: 10.1).frames == 0)
    }

    @Test("losses of more than ten seconds ago do not count, even if nothing was recorded since")
    func gap() {
        var all = FrameLosses()
        all.record(total: 100, at: start)
        #expect(all.losses(total: 110, rate: 10, at: start + 10).frames == 10)
        #expect(all.losses(total: 110, rate: 10, at: start + 10.1).frames == 0)
    }

    @Test("losses before the first frame do not count")
    func earlier() {
        var all = FrameLosses()
        #expect(losses(&all, total: 100, at: 0).share == 0)
        #expect(losses(&all, total: 100, at: 1).share == 0)
    }

    @Test("the losses of another camera count from its start")
    func otherCamera() {
        var all = FrameLosses()
        all.record(total: 100, at: start)
        #expect(losses(&all, total: 3, at: 1).frames == 0)
        #expect(losses(&all, total: 5, at: 2).frames == 2)
    }
}
