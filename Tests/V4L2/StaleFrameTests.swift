import CV4L2
import FakeDriver
import Glibc
import Handoff
import ModelCamera
import Testing

@testable import V4L2

@Suite("Frames that are not new")
struct StaleFrameTests {
    private typealias Frame = ModelStream.Frame

    /// The flags of a frame whose clock the driver does not name.
    private static let unknownClock: UInt32 = 0
    private static let zero = MonotonicTime(nanoseconds: 0)
    private let stream = ModelStream()
    private let waker: Waker

    init() throws {
        waker = try Waker()
        // When no frame is left, the test goes on.
        stream.onWait = { [waker] in
            waker.wake()
            return EAGAIN
        }
    }

    /// Returns which of these frames a camera lends if they arrive one after another.
    private func lent(_ frames: [Frame], by camera: inout Camera) throws -> [Bool] {
        try frames.map { frame in
            stream.waiting = [frame]
            return try camera.withNextFrame(before: .now() + 60, orUntil: waker) { _ in true } ?? false
        }
    }

    private func lent(_ frames: [Frame]) throws -> [Bool] {
        try stream.run { try lent(frames, by: &$0) }
    }

    /// A time of the monotonic clock after the start of every stream of a test.
    private func later(_ seconds: Double) -> MonotonicTime { .now() + (60 + seconds) }

    @Test("the frames that a driver has when the stream begins are not lent, whatever their stamps say")
    func kept() throws {
        stream.kept = [
            Frame(sequence: 8, flags: Self.unknownClock, time: later(0)), Frame(sequence: 9, time: later(1)),
        ]
        try stream.run { camera in
            try #expect(lent([Frame(sequence: 10, time: later(2))], by: &camera) == [true])
            #expect(camera.counters.stale == 2)
            #expect(camera.counters.delivered == 1)
            #expect(camera.counters.dropped == 0)
        }
        #expect(stream.queued.count == 5)
    }

    @Test("a frame captured before the stream began is not lent, even if the driver is late to deliver it")
    func old() throws {
        let before = MonotonicTime.now() + -1
        try #expect(lent([Frame(sequence: 0, time: before), Frame(sequence: 1)]) == [false, true])
    }

    @Test("no frame of a number of old ones is lent")
    func severalOld() throws {
        let before = MonotonicTime.now() + -1
        try stream.run { camera in
            stream.waiting = [Frame(sequence: 0, time: before), Frame(sequence: 1, time: before + 0.1)]
            try #expect(camera.withNextFrame(before: .now() + 60, orUntil: waker) { _ in true } == nil)
        }
    }

    @Test("a clock that is behind this one costs a frame, and its frames count as captured now")
    func behind() throws {
        let hour = MonotonicTime.now() + -3600
        try stream.run { camera in
            let frames = (0..<4).map { Frame(sequence: $0, time: hour + Double($0)) }
            try #expect(lent(frames, by: &camera) == [false, true, true, true])
            let start = MonotonicTime.now()
            stream.waiting = [Frame(sequence: 4, time: hour + 4)]
            let time = try camera.withNextFrame(before: .now() + 60, orUntil: waker) { $0.info.timestamp }
            #expect(try #require(time) >= start)
        }
    }

    @Test("a frame whose number and time stand still is not lent again", arguments: [0, 7] as [UInt32])
    func repeated(sequence: UInt32) throws {
        let frames = [Frame](repeating: Frame(sequence: sequence, time: later(0)), count: 3)
        try #expect(lent(frames) == [true, false, false])
    }

    @Test("a frame that is repeated with another time is not lent again")
    func restamped() throws {
        try #expect(lent((0..<3).map { Frame(sequence: 7, time: later(Double($0))) }) == [true, false, false])
    }

    @Test("a frame that is repeated with another number is not lent again")
    func renumbered() throws {
        let time = later(0)
        try #expect(lent((7..<10).map { Frame(sequence: $0, time: time) }) == [true, false, false])
    }

    @Test("a number that a driver repeats once costs that frame, and the frame is not counted as dropped")
    func occasionalRepeat() throws {
        try stream.run { camera in
            let frames = ([4, 5, 5, 6] as [UInt32]).map { Frame(sequence: $0) }
            try #expect(lent(frames, by: &camera) == [true, true, false, true])
            #expect(camera.counters.stale == 1)
            #expect(camera.counters.dropped == 0)
        }
    }

    @Test("both fields of a frame are lent, although they have the same number")
    func fields() throws {
        stream.field = V4L2_FIELD_ALTERNATE
        let frames = ([7, 7, 8, 8] as [UInt32]).enumerated().map { Frame(sequence: $1, time: later(Double($0))) }
        try #expect(lent(frames + [frames[3]]) == [true, true, true, true, false])
    }

    @Test("frames of a driver that does not count are lent while their times advance")
    func uncounted() throws {
        try #expect(lent((0..<4).map { Frame(sequence: 0, time: later(Double($0))) }) == [true, true, true, true])
    }

    @Test(
        "frames of a driver that gives no times are lent while their numbers advance",
        arguments: [unknownClock, UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)])
    func untimed(flags: UInt32) throws {
        let frames = (0..<4).map { Frame(sequence: $0, flags: flags, time: Self.zero) }
        try #expect(lent(frames) == [true, true, true, true])
    }

    @Test("of a driver that gives neither numbers nor times, one frame is lent")
    func neither() throws {
        let frames = [Frame](repeating: Frame(sequence: 0, flags: Self.unknownClock, time: Self.zero), count: 3)
        try #expect(lent(frames) == [true, false, false])
    }

    @Test("frames of another clock are lent, and a clock that is set back costs one")
    func otherClock() throws {
        let times = [1000.0, 1001, 5, 6]
        let frames = times.map { Frame(sequence: 0, flags: Self.unknownClock, time: Self.zero + $0) }
        try #expect(lent(frames) == [true, true, false, true])
    }

    @Test("a driver that delivers one frame without a pause does not keep the thread beyond the deadline")
    func endless() throws {
        try stream.run { camera in
            unsafe stream.driver.on(FAKE_DQBUF, v4l2_buffer.self) { _ in 0 }
            unsafe stream.driver.on(FAKE_QBUF, v4l2_buffer.self) { _ in 0 }
            let lent = try (0..<2).map { _ in
                try camera.withNextFrame(before: .now() + 0.01, orUntil: waker) { _ in true }
            }
            #expect(lent == [true, nil])
        }
    }

    @Test("a still picture is lent frame after frame")
    func still() throws {
        let frames = (0..<4).map { Frame(sequence: $0, bytes: [9, 9, 9, 9]) }
        try #expect(lent(frames) == [true, true, true, true])
    }

    /// Runs a stream after another one that has delivered the frame 7.
    private func runNextStream(_ body: (inout Camera) throws -> Void) throws {
        let filter = try stream.run { camera in
            try #expect(lent([Frame(sequence: 7)], by: &camera) == [true])
            return camera.filter
        }
        try stream.run(filter: filter, body)
    }

    @Test("the last frame of a stream is not lent by the next one, even with another time")
    func nextStream() throws {
        try runNextStream { camera in
            let frames = ([7, 7, 8] as [UInt32]).map { Frame(sequence: $0) }
            try #expect(lent(frames, by: &camera) == [false, false, true])
        }
    }

    @Test("the numbers may start over with the next stream")
    func numbersStartOver() throws {
        try runNextStream { camera in
            let frames = ([0, 1] as [UInt32]).map { Frame(sequence: $0) }
            try #expect(lent(frames, by: &camera) == [true, true])
        }
    }

    @Test("a frame that has lost its number and got another time is not new")
    func lostNumber() throws {
        stream.kept = [Frame(sequence: 0, flags: Self.unknownClock)]
        try runNextStream { camera in
            let frames = ([0, 0, 8] as [UInt32]).map { Frame(sequence: $0, flags: Self.unknownClock) }
            try #expect(lent(frames, by: &camera) == [false, false, true])
        }
    }

    @Test("a driver that has stopped counting is believed after some frames")
    func stoppedCounting() throws {
        try runNextStream { camera in
            let frames = [Frame](repeating: Frame(sequence: 0), count: 12)
            let lent = try lent(frames, by: &camera)
            #expect(lent.firstIndex(of: false) == 1)
            #expect(lent.suffix(4) == [true, true, true, true])
        }
    }
}
