import Foundation
package import Handoff
package import Pixels

/// Makes readings at the pushed rate out of frames, or out of their absence, and publishes them.
///
/// Owned by the capture thread.
package struct ReadingPublisher {
    /// What a person chose about readings.
    package struct Settings: Equatable, Sendable {
        /// Readings pushed per second.
        var rate = 4.0
        /// Frames that a reading is the mean of.
        var frames = 1
        /// The part of the picture that is read.
        var region = Region.full
        /// The effect of the processed picture.
        var effect = "none"

        package init(rate: Double = 4.0, frames: Int = 1, region: Region = Region.full, effect: String = "none") {
            self.rate = rate
            self.frames = frames
            self.region = region
            self.effect = effect
        }
    }

    /// Why there is no colour.
    package struct Unavailable: Equatable {
        var state: Reading.State
        package var message: String

        package init(state: Reading.State, message: String) {
            self.state = state
            self.message = message
        }
    }

    /// Readings per second while nobody watches.
    private static let quietRate = 1.0 / 60

    /// What readings are made with from now on.
    package var settings: Settings { didSet { retune() } }
    /// Whether readings are made at the pushed rate; else now and then, and when somebody asks.
    private var isWatched = true { didSet { retune() } }
    private let readings: Latest<Reading>
    private let bulletin: Bulletin
    /// Who wants the readings; nil: somebody always does.
    package let demand: Demand?
    private let clock: @Sendable () -> MonotonicTime
    private var ticker: Ticker
    private var sequence: UInt64 = 0
    private var rate = RateMeter()
    private var hasColor = false
    private var last: (reading: Reading, frameTime: MonotonicTime)?

    /// - Parameters:
    ///   - demand: Who wants the readings; nil: somebody always does.
    ///   - clock: What time it is.
    package init(
        settings: Settings, readings: Latest<Reading>, bulletin: Bulletin = Bulletin(), demand: Demand? = nil,
        clock: @escaping @Sendable () -> MonotonicTime = MonotonicTime.now
    ) {
        self.settings = settings
        self.readings = readings
        self.bulletin = bulletin
        self.demand = demand
        self.clock = clock
        ticker = Ticker(rate: settings.rate, start: clock())
    }

    /// Until when a frame may be waited for before something has to be published.
    package var deadline: MonotonicTime { ticker.deadline }

    /// Looks whether somebody watches. A mean of several frames needs them all, whoever watches.
    /// - Parameter framePeriod: The time from one frame to the next, in seconds: how long a caller has to wait.
    package mutating func followDemand(framePeriod: Double) {
        demand?.framePeriod = framePeriod
        isWatched = settings.frames > 1 || demand?.isWatching ?? true
    }

    /// Whether nobody wants the next frame at this moment.
    package var isQuiet: Bool { hasColor && settings.frames <= 1 && demand?.wantsFrames == false }

    /// Whether a frame that arrives now is wanted: it is the first of its tick, or the first after an absence, or
    /// somebody waits for it.
    package func isDue(at now: MonotonicTime) -> Bool { ticker.isDue(at: now) || !hasColor || wantsNextFrame }

    /// Whether the next frame is wanted between two ticks: somebody waits for it, or has come to watch since the ticks
    /// became rare.
    private var wantsNextFrame: Bool {
        guard let demand else { return false }
        return demand.isAsking || !isWatched && (demand.isWatching || demand.framesAreRare)
    }

    /// Publishes the reading of a frame.
    /// - Parameter frame: What was read; its age is filled in here.
    package mutating func publish(
        _ color: RGB, of frame: Reading.Frame, capturedAt frameTime: MonotonicTime, camera: Reading.Camera,
        state: Reading.State, captureRate: Double, dropped: UInt64, at now: MonotonicTime
    ) {
        let rounded = color.rounded
        ticker.serve(at: now)
        let reading = Reading(
            sequence: 0, time: Date(), state: state, since: Date(), message: nil, hex: rounded.hex,
            rgb: .init(r: Int(rounded.r), g: Int(rounded.g), b: Int(rounded.b)),
            mean: .init(r: color.r, g: color.g, b: color.b), brightness: color.brightness,
            textColor: rounded.textColor.hex, frame: frame, effect: settings.effect,
            region: settings.region, camera: camera, rate: .init(capture: captureRate, reading: 0),
            dropped: dropped)
        last = (reading, frameTime)
        let sent = send(reading, frameTime: frameTime, at: now)
        demand?.answer(sent)
    }

    /// Publishes the newest reading again if a tick has ended without a frame: a camera may be slower than the pushed
    /// rate. The frame's age tells.
    package mutating func repeatIfOverdue(captureRate: Double, dropped: UInt64, at now: MonotonicTime) {
        guard ticker.isOverdue(at: now) else { return }
        // Also when there is nothing to say again: a deadline that has passed must not stay one.
        ticker.serveOverdue(at: now)
        guard let last else { return }
        var reading = last.reading
        reading.rate.capture = captureRate
        reading.dropped = dropped
        send(reading, frameTime: last.frameTime, at: now)
    }

    /// Publishes that there is no colour, and why: at once when that is news, else once a tick.
    package mutating func publish(
        _ unavailable: Unavailable, camera: Reading.Camera?, dropped: UInt64 = 0, at now: MonotonicTime
    ) {
        last = nil
        isWatched = true
        let current = readings.value
        let isNews =
            sequence == 0 || current.state != unavailable.state || current.message != unavailable.message
            || current.camera != camera
        guard isNews || ticker.isOverdue(at: now) else { return }
        if isNews { ticker.serve(at: now) } else { ticker.serveOverdue(at: now) }
        let reading = Reading(
            sequence: 0, time: Date(), state: unavailable.state, since: Date(), message: unavailable.message,
            effect: settings.effect, region: settings.region, camera: camera,
            rate: .init(capture: 0, reading: 0), dropped: dropped)
        let sent = send(reading, frameTime: nil, at: now)
        demand?.answer(sent)
    }

    private mutating func retune() {
        let wanted = isWatched ? settings.rate : min(settings.rate, Self.quietRate)
        guard wanted != ticker.rate else { return }
        // Somebody has come: a colour of long ago is not said again, nor counts how rare readings were.
        if wanted > ticker.rate {
            last = nil
            rate = RateMeter()
        }
        ticker = Ticker(rate: wanted, start: clock())
    }

    /// - Returns: The reading as it was published.
    @discardableResult
    private mutating func send(_ reading: Reading, frameTime: MonotonicTime?, at now: MonotonicTime) -> Reading {
        sequence += 1
        hasColor = reading.state.hasColor
        rate.note(total: sequence, at: now)
        var reading = reading
        reading.sequence = sequence
        reading.time = Date()
        let before = readings.value
        // A camera that is tried again and again is lost since the first time.
        reading.since = before.sequence > 0 && before.state == reading.state ? before.since : reading.time
        reading.notices = bulletin.notices
        reading.revisions = bulletin.revisions
        reading.rate.reading = rate.rate(at: now)
        reading.rate.wanted = settings.rate
        if let frameTime { reading.frame?.ageMs = max(0, (clock() - frameTime) * 1000) }
        readings.publish(reading)
        return reading
    }
}
