import Configuration
import Handoff
import Pixels
import Readings
import V4L2

/// Turns the frames of one source into readings.
struct FramePump {
    /// What a step came to.
    enum Step {
        /// A reading was published.
        case published
        /// There was no frame, or none that was wanted.
        case idle
        /// There has been no good frame for so many seconds that the source counts as hung.
        case silent(seconds: Double)
    }

    private enum Outcome {
        case sums(PictureSums)
        case damaged
        case notWanted
    }

    private let publisher: ReadingPublisher
    private let tap: PictureTap?
    private let format: FrameFormat
    /// Where the readings are from. Its id may become a better one while it runs: udev comes after the kernel.
    var camera: Reading.Camera
    private let state: Reading.State
    private var reader: PictureReader
    /// What the reader is made for.
    private var readerParameters: Follower<Config, PictureReader.Parameters>
    private var settings: Follower<Config, ReadingPublisher.Settings>
    /// The newest frames, at most as many as a reading is the mean of.
    private var recent: [PictureSums] = []
    private var watchdog: SilenceWatchdog
    private var captureRate = RateMeter()
    private var period: FramePeriod
    /// Whether frames may have gathered since the last one was taken.
    private var hasRested = false
    private let clock: @Sendable () -> MonotonicTime
    /// Frames that were shorter than their format.
    private var unreadable: UInt64 = 0

    /// - Parameters:
    ///   - state: Of the readings: `live` or `test-pattern`.
    ///   - clock: What time it is.
    /// - Returns: Nil if frames of this format cannot be read.
    init?(
        format: FrameFormat, config: Latest<Config>, tap: PictureTap? = nil, camera: Reading.Camera,
        state: Reading.State, publisher: ReadingPublisher,
        clock: @escaping @Sendable () -> MonotonicTime = MonotonicTime.now
    ) {
        readerParameters = Follower(config, PictureReader.Parameters.init)
        settings = Follower(config, ReadingPublisher.Settings.init)
        guard let reader = PictureReader(format: format, readerParameters.current) else { return nil }
        publisher.settings = settings.current
        self.publisher = publisher
        self.tap = tap
        self.format = format
        self.camera = camera
        self.state = state
        self.reader = reader
        self.clock = clock
        watchdog = SilenceWatchdog(framesPerSecond: format.framesPerSecond, start: clock())
        period = FramePeriod(framesPerSecond: format.framesPerSecond)
    }

    /// Waits for a frame, until a reading is due or the waker wakes, and publishes what there is to publish.
    /// - Throws: `V4L2Error` when the source has failed.
    mutating func step(
        _ source: inout some FrameSource & ~Copyable, waker: Waker
    ) throws(V4L2Error) -> Step {
        followConfig()
        publisher.followDemand(framePeriod: period.seconds)
        rest(&source, publisher.isQuiet ? publisher.demand : nil, waker)
        let frames = publisher.settings.frames
        let arrival = try source.withNextFrame(before: publisher.deadline, orUntil: waker) { frame in
            let now = clock()
            // It has waited with the driver for so long that whoever wants a frame now gets the next one.
            if hasRested, now - frame.info.timestamp > 2 * period.seconds, !publisher.isQuiet || isSeen {
                return (info: frame.info, outcome: Outcome.notWanted)
            }
            tap?.offer(frame, format: format, at: now)
            // A frame between ticks goes back untouched, unless the next reading is a mean of several.
            guard frames > 1 || publisher.isDue(at: now) else { return (info: frame.info, outcome: Outcome.notWanted) }
            let sums = reader.sums(of: frame)
            return (info: frame.info, outcome: sums.map(Outcome.sums) ?? .damaged)
        }
        let now = clock()
        // First: a frame that comes as a tick ends belongs to the next one.
        let dropped = source.counters.dropped + unreadable
        publisher.repeatIfOverdue(captureRate: captureRate.rate(at: now), dropped: dropped, at: now)
        guard let arrival else { return idle(at: now) }
        hasRested = false
        captureRate.note(total: source.counters.delivered, at: now)
        period.note(arrival.info.timestamp, delivered: source.counters.delivered)
        switch arrival.outcome {
        case .notWanted:
            watchdog.noteFrame(at: now)
            return .idle
        case .damaged:
            // Does not count as a sign of life: a camera that delivers nothing else is as good as silent.
            unreadable += 1
            return idle(at: now)
        case .sums(let sums):
            watchdog.noteFrame(at: now)
            recent.append(sums)
            recent.removeFirst(max(0, recent.count - frames))
            guard publisher.isDue(at: now) else { return .idle }
            let frame = Reading.Frame(
                sequence: arrival.info.sequence, width: format.width, height: format.height,
                format: format.fourCC.description, colorimetry: reader.assumption, ageMs: 0)
            publisher.publish(
                mean(of: recent), of: frame, capturedAt: arrival.info.timestamp, camera: camera, state: state,
                captureRate: captureRate.rate(at: now), dropped: dropped, at: now)
            return .published
        }
    }

    /// Lets frames gather as long as nobody wants one.
    /// - Parameter demand: Who may want one soon; nil: a frame is wanted now.
    private mutating func rest(
        _ source: inout some FrameSource & ~Copyable, _ demand: Demand?, _ waker: Waker
    ) {
        guard let demand, let rest = demand.rest, !isSeen else { return }
        hasRested = true
        let hub = tap?.hub
        rest.take(
            unless: { demand.wantsFrames || hub?.isWatched ?? false }, { source.rest(orUntil: waker) })
    }

    /// Whether somebody wants to see frames.
    private var isSeen: Bool { tap?.hub.isWatched ?? false }

    private mutating func followConfig() {
        if let settings = settings.change() { publisher.settings = settings }
        guard let parameters = readerParameters.change(),
            let reader = PictureReader(format: format, parameters)
        else { return }
        self.reader = reader
        recent.removeAll()
    }

    /// Of the pixels of all these frames, each counted alike.
    private func mean(of pictures: [PictureSums]) -> RGB {
        var sum = pictures[0]
        for picture in pictures.dropFirst() { sum += picture }
        return sum.mean
    }

    private func idle(at now: MonotonicTime) -> Step {
        watchdog.silence(at: now).map(Step.silent) ?? .idle
    }
}
