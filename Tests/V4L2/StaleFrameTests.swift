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

    @Test("a frame captured before the stream began is not lent, even if the driver is late to deliver it")
    func old() throws {
        let before = MonotonicTime.now() + -1
        try stream.run { camera in
            stream.waiting = [Frame(sequence: 0, time: before), Frame(sequence: 1, time: before + 0.1)]
            try #expect(camera.withNextFrame(before: .now() + 60, orUntil: waker) { _ in true } == nil)
            try #expect(lent([Frame(sequence: 2, time: before), Frame(sequence: 3)], by: &camera) == [false, true])
        }
    }

    /// Frames by their numbers and times, in seconds, of which the camera lends some.
    struct Case: Sendable {
        var sequences: [UInt32]
        /// The times by the monotonic clock, after the start; nil if that is not the driver's clock.
        var later: [Double]?
        /// The times by another clock.
        var other: [Double] = []
        var field: v4l2_field?
        var flags = unknownClock
        var lent: [Bool]
    }

    @Test(
        "a frame is lent if its number or time shows that it is new",
        arguments: [
            // Both stand still, or one of them does.
            Case(sequences: [0, 0, 0], later: [0, 0, 0], lent: [true, false, false]),
            Case(sequences: [7, 7, 7], later: [0, 0, 0], lent: [true, false, false]),
            Case(sequences: [7, 7, 7], later: [0, 1, 2], lent: [true, false, false]),
            Case(sequences: [7, 8, 9], later: [0, 0, 0], lent: [true, false, false]),
            // The driver does not count.
            Case(sequences: [0, 0, 0, 0], later: [0, 1, 2, 3], lent: [true, true, true, true]),
            // Both fields of a frame have the same number.
            Case(
                sequences: [7, 7, 8, 8, 8], later: [0, 1, 2, 3, 3], field: V4L2_FIELD_ALTERNATE,
                lent: [true, true, true, true, false]),
            // The driver gives no times.
            Case(sequences: [0, 1, 2, 3], other: [0, 0, 0, 0], lent: [true, true, true, true]),
            Case(
                sequences: [0, 1, 2, 3], other: [0, 0, 0, 0], flags: UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
                lent: [true, true, true, true]),
            Case(sequences: [0, 0, 0], other: [0, 0, 0], lent: [true, false, false]),
            // Another clock is set back.
            Case(sequences: [0, 0, 0, 0], other: [1000, 1001, 5, 6], lent: [true, true, false, true]),
        ])
    func new(frames: Case) throws {
        if let field = frames.field { stream.field = field }
        let start = later(0)
        let list = frames.sequences.enumerated().map { index, sequence in
            if let times = frames.later { return Frame(sequence: sequence, time: start + times[index]) }
            return Frame(sequence: sequence, flags: frames.flags, time: Self.zero + frames.other[index])
        }
        try #expect(lent(list) == frames.lent)
    }

    @Test("if neither numbers nor times tell frames apart, their bytes do, from the second one on", arguments: [0, 7])
    func content(number: UInt32) throws {
        let time = number == 0 ? Self.zero : later(0)
        let frames = ([1, 2, 3, 3, 4] as [UInt8]).map {
            Frame(sequence: number, bytes: [UInt8](repeating: $0, count: 64), time: time)
        }
        #expect(try lent(frames) == [true, false, true, false, true])
    }

    @Test("a frame that only its bytes show to be new counts as captured now")
    func contentTime() throws {
        let (start, stamp) = (MonotonicTime.now(), later(0))
        let times: [MonotonicTime] = try stream.run { camera in
            try ([1, 2, 3, 4] as [UInt8]).compactMap { value in
                stream.waiting = [Frame(sequence: 0, bytes: [UInt8](repeating: value, count: 64), time: stamp)]
                return try camera.withNextFrame(before: .now() + 60, orUntil: waker) { $0.info.timestamp }
            }
        }
        #expect(times.count == 3 && times[2] >= start && times[2] <= .now())
    }

    @Test("a number that a driver repeats once costs that frame, and the frame is not counted as dropped")
    func occasionalRepeat() throws {
        try stream.run { camera in
            let frames = ([4, 5, 5, 6] as [UInt32]).map { Frame(sequence: $0) }
            try #expect(lent(frames, by: &camera) == [true, true, false, true])
            #expect(camera.counters.repeated == 1)
            #expect(camera.counters.dropped == 0)
        }
    }

    @Test("a driver that delivers one frame without a pause does not keep the thread beyond the deadline")
    func endless() throws {
        try stream.run { camera in
            unsafe stream.driver.on(FAKE_DQBUF, v4l2_buffer.self) { buffer in
                unsafe buffer.bytesused = 4
                return 0
            }
            unsafe stream.driver.on(FAKE_QBUF, v4l2_buffer.self) { _ in 0 }
            let lent = try (0..<2).map { _ in
                try camera.withNextFrame(before: .now() + 0.01, orUntil: waker) { _ in true }
            }
            #expect(lent == [true, nil])
        }
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
