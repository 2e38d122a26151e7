import Configuration
import Handoff
import Metrology
import Pixels
import Readings
import State
import V4L2

/// The conversion of one source's frames into readings.
///
/// The first frame of a tick becomes its reading, or the newest `readings.frames` of them do. A tick without a frame
/// repeats the last reading, so the rate holds whatever the camera does.
///
/// While nobody watches (`Demand`), the capture thread rests: the driver gathers three frames before the thread wakes,
/// and they are returned unread, except for one frame a minute. A client that requests a reading, the first client that
/// subscribes, or a viewer of pictures ends the rest (`Rest`). Such a client gets the newest gathered frame, or the
/// next one if that frame is more than two frame periods old. One frame answers all clients that wait. If frames are
/// too far apart for the time that a client waits (`FramePeriod`), the thread does not rest.
struct FramePump {
    enum Step {
        case published
        /// No frame arrived, or none that was wanted.
        case idle
        /// The source counts as hung, because no good frame has arrived for so long; `fault` is what is wrong with most
        /// frames that arrived instead, if any did.
        case silent(seconds: Double, fault: FrameFault?)
        /// The configuration has changed so that frames of this format cannot be read any more.
        case unsupported(UnreadableFormat)
    }

    /// The parts of the configuration that concern the pump. They are followed together, so that a reading names the
    /// region that its colour comes from.
    private struct Parameters: Equatable {
        var reader: PictureReader.Parameters
        var readings: ReadingPublisher.Settings
    }

    private let publisher: ReadingPublisher
    private let tap: PictureTap?
    private let format: FrameFormat
    /// The camera of the readings. The id may change while the camera runs: udev names a node only after the kernel has
    /// made it.
    var camera: Reading.Camera
    private let state: Reading.State
    private var reader: PictureReader
    private var parameters: Follower<Settings, Parameters>
    /// The targets whose coverage readings have; nil if there is none.
    private var coverage: CoverageTable?
    /// The areas that a client wants to have measured.
    private var areas: Follower<AreaRequest?, AreaRequest?>
    /// The colours of the newest frames and their times of capture, at most as many as a reading averages.
    private var recent: [(colors: FrameColors, time: MonotonicTime)] = []
    /// The number of frames since the last independent reading. A reading is independent if it shares no frame with the
    /// independent one before it.
    private var framesSinceIndependent = 0
    /// The watch on whether the picture has moved since the areas were set.
    var scene = SceneWatch()
    private var watchdog: SilenceWatchdog
    private var captureRate = RateMeter()
    private var period: FramePeriod
    /// Whether the source has rested since the last frame was taken, so that frames may have accumulated in the driver.
    private var hasRested = false
    /// The faults of frames that were read. The source counts those that it finds itself.
    private var readFaults = FrameFaults()
    /// All faults when the last good frame arrived.
    private var faultsBefore = FrameFaults()
    /// The fault of the last frame that was read; nil if it was good. While there is one, every frame is read: one that
    /// is returned unread proves nothing.
    private var fault: FrameFault?

    /// - Parameters:
    ///   - state: The state of the readings: `live` or `test-pattern`.
    ///   - failures: The number of attempts to read the source that have failed before.
    /// - Throws: The reason why frames of this format cannot be read.
    init(
        format: FrameFormat, config: Latest<Settings>, areas: Latest<AreaRequest?> = Latest(nil),
        tap: PictureTap? = nil, camera: Reading.Camera, state: Reading.State, failures: Int = 0,
        publisher: ReadingPublisher
    ) throws(UnreadableFormat) {
        parameters = Follower(config) { Parameters(reader: .init($0.effective), readings: .init($0.effective)) }
        self.areas = Follower(areas) { $0 }
        reader = try PictureReader(
            format: format, parameters.current.reader, areas: self.areas.current?.areas ?? [])
        publisher.settings = parameters.current.readings
        coverage = CoverageTable(publisher.settings.targets)
        publisher.markDisturbance()
        self.publisher = publisher
        self.tap = tap
        self.format = format
        self.camera = camera
        self.state = state
        period = FramePeriod(framesPerSecond: format.framesPerSecond)
        watchdog = SilenceWatchdog(period: period.seconds, start: publisher.clocks.now(), failures: failures)
        publisher.beginSource(camera.id, settles: state == .live)
    }

    /// Waits for a frame, a tick's end or the waker, and publishes a reading if one is due.
    /// - Throws: `V4L2Error` when the source has failed.
    mutating func step(
        _ source: inout some FrameSource & ~Copyable, waker: Waker
    ) throws(V4L2Error) -> Step {
        do throws(UnreadableFormat) {
            try followConfig()
        } catch {
            return .unsupported(error)
        }
        publisher.followDemand(framePeriod: period.seconds)
        rest(&source, orUntil: waker)
        // While nobody watches, a tick lasts a minute: a source that falls silent has to be detected before its end.
        let deadline = min(publisher.deadline, watchdog.deadline)
        let arrival = try source.withNextFrame(before: deadline, orUntil: waker) { frame in
            let now = publisher.clocks.now()
            let need = publisher.need(at: now)
            return (info: frame.info, need: need, colors: read(frame, for: need, at: now))
        }
        let faults = source.counters.faults + readFaults
        publisher.faults = faults
        let now = publisher.clocks.now()
        // Repeating comes first: a frame that arrives as a tick ends belongs to the next tick.
        let dropped = source.counters.dropped + readFaults.total
        publisher.recordLosses(total: dropped, at: now)
        publisher.repeatIfOverdue(
            captureRate: captureRate.rate(at: now), delivered: source.counters.delivered, dropped: dropped, at: now)
        guard let arrival else { return stepWithoutReading(at: now, faults) }
        hasRested = false
        captureRate.record(total: source.counters.delivered, at: now)
        period.record(arrival.info.timestamp, delivered: source.counters.delivered)
        // A damaged frame is not a sign of life: a camera that delivers nothing else counts as silent.
        guard fault == nil else { return stepWithoutReading(at: now, faults) }
        watchdog.recordFrame(at: now, period: period.seconds)
        faultsBefore = faults
        guard let colors = arrival.colors else { return .idle }
        // A camera may change between grey and colour JPEG images.
        if let last = recent.last, !last.colors.region.sums.hasSameUnit(as: colors.region.sums) { recent.removeAll() }
        recent.append((colors, arrival.info.timestamp))
        framesSinceIndependent += 1
        recent.removeFirst(max(0, recent.count - publisher.settings.frames))
        guard arrival.need == .reading else { return .idle }
        publish(arrival.info, delivered: source.counters.delivered, dropped: dropped, at: now)
        return .published
    }

    /// Reads the colours of a frame if a reading or a client's measurement needs them, and its lights if they are
    /// followed, and offers it to the viewers of pictures unless that shows that it is damaged.
    /// - Returns: Nil if nothing needs them, if the frame is damaged, or if it has waited too long.
    private mutating func read(
        _ frame: borrowing Frame, for need: ReadingPublisher.Need, at now: MonotonicTime
    ) -> FrameColors? {
        // This frame has waited in the driver too long to answer a new demand. The next one will.
        if hasRested, now - frame.info.timestamp > 2 * period.seconds,
            publisher.wantsNextFrame || hasViewers
        {
            return nil
        }
        let request = areas.current.flatMap { frame.info.timestamp >= $0.start ? $0 : nil }
        let needsColors = need != .nothing || request != nil || fault != nil
        let hasLights = publisher.followsLights(need)
        guard needsColors || hasLights else {
            tap?.offer(frame, format: format, isRead: false, at: now)
            return nil
        }
        let isLookDue =
            need == .reading && scene.isDue(at: now, for: .init(camera.id, format, parameters.current.reader))
        do throws(FrameFault) {
            let content = try reader.content(
                of: frame,
                WantedColors(
                    colors: needsColors, lights: hasLights, statistics: need == .reading || request != nil,
                    coverage: need == .reading ? coverage : nil,
                    profiles: isLookDue))
            fault = nil
            tap?.offer(frame, format: format, isRead: true, at: now)
            if hasLights { publisher.follow(content.lights, at: frame.info.timestamp) }
            if let profiles = content.colors?.profiles { scene.look(at: profiles, now) }
            if let colors = content.colors { request?.frames.yield(colors.areas.compactMap(AreaRequest.Figures.init)) }
            return content.colors
        } catch {
            fault = error
            readFaults[error.kind] += 1
            return nil
        }
    }

    /// Publishes the mean of the remembered frames, and the statistics of the newest one, as the reading of the newest.
    private mutating func publish(_ info: FrameInfo, delivered: UInt64, dropped: UInt64, at now: MonotonicTime) {
        let frame = Reading.Frame(
            sequence: info.sequence, width: format.width, height: format.height,
            isTurned: parameters.current.reader.orientation.swapsSides, format: format.fourCC.description,
            colorimetry: format.colorimetryName(reader.assumedEncoding), ageMs: 0, time: info.timestamp,
            firstTime: recent.first?.time)
        let isIndependent = framesSinceIndependent >= publisher.settings.frames
        if isIndependent { framesSinceIndependent = 0 }
        let probes = (recent.last?.colors.probes ?? []).indices.map { index in
            measurement(of: recent.map { $0.colors.probes[index] })
        }
        publisher.publish(
            measurement(of: recent.map(\.colors.region)), probes: probes, isIndependent: isIndependent,
            moved: scene.moved, of: frame, camera: camera, state: state,
            captureRate: captureRate.rate(at: now), delivered: delivered, dropped: dropped, at: now)
    }

    /// Lets frames accumulate in the driver while none is wanted.
    private mutating func rest(_ source: inout some FrameSource & ~Copyable, orUntil waker: Waker) {
        let demand = publisher.demand
        guard fault == nil, !publisher.wantsNextFrame, !hasViewers, let rest = demand.rest else { return }
        hasRested = true
        let hub = tap?.hub
        rest.take(unless: { demand.wantsFrames || hub?.isWatched ?? false }, { source.rest(orUntil: waker) })
    }

    private var hasViewers: Bool { tap?.hub.isWatched ?? false }

    /// - Throws: The reason why frames can no longer be read.
    private mutating func followConfig() throws(UnreadableFormat) {
        let before = parameters.current.reader
        let targets = publisher.settings.targets
        if let changed = parameters.takeChange() { publisher.settings = changed.readings }
        if publisher.settings.targets != targets { coverage = CoverageTable(publisher.settings.targets) }
        let changed = parameters.current
        let haveAreasChanged = areas.takeChange() != nil
        guard changed.reader != before || haveAreasChanged else { return }
        reader = try PictureReader(format: format, changed.reader, areas: areas.current?.areas ?? [])
        // Areas change nothing in the readings.
        guard changed.reader != before else { return }
        recent.removeAll()
        framesSinceIndependent = 0
        // A probe that comes or goes changes nothing else.
        var unchanged = changed.reader
        (unchanged.probes, unchanged.lights) = (before.probes, before.lights)
        if unchanged != before { publisher.markDisturbance() }
    }

    /// Returns the mean of a region over some frames, with the statistics of the newest.
    private func measurement(of frames: [RegionColors]) -> Reading.Measurement {
        .init(
            mean: sum(of: frames.map(\.sums)).mean, linear: sum(of: frames.map(\.light)).linear,
            statistics: frames.last?.statistics, coverage: frames.last?.coverage ?? [])
    }

    /// Returns the sum of the pixels of all these frames, equally weighted.
    private func sum(of pictures: [PictureSums]) -> PictureSums {
        pictures.dropFirst().reduce(into: pictures[0]) { $0 += $1 }
    }

    private func stepWithoutReading(at now: MonotonicTime, _ faults: FrameFaults) -> Step {
        guard let seconds = watchdog.silence(at: now) else { return .idle }
        let kind = (faults - faultsBefore).mostFrequent
        // The newest frame tells the size or the colours, which the others share.
        return .silent(seconds: seconds, fault: kind.map { $0 == fault?.kind ? fault ?? .init($0) : .init($0) })
    }
}

/// A source of frames for the capture thread: a camera or the test pattern.
protocol FrameSource: ~Copyable {
    var format: FrameFormat { get }
    /// The numbers of frames delivered and dropped.
    var counters: FrameCounters { get }

    /// Returns whether the source has lost its signal although it still delivers frames.
    ///
    /// A video receiver whose cable was pulled sends noise or its last picture.
    mutating func hasLostSignal(at now: MonotonicTime) -> Bool

    /// Lets frames accumulate while none is wanted, as ``V4L2/Camera/rest(orUntil:)`` does, or does nothing.
    mutating func rest(orUntil waker: Waker)

    /// Waits for a frame and lends the newest one, as ``V4L2/Camera/withNextFrame(before:orUntil:_:)`` does.
    mutating func withNextFrame<Result>(
        before deadline: MonotonicTime, orUntil waker: Waker, _ body: (borrowing Frame) -> Result
    ) throws(V4L2Error) -> Result?
}

extension FrameSource where Self: ~Copyable {
    mutating func hasLostSignal(at now: MonotonicTime) -> Bool { false }

    mutating func rest(orUntil waker: Waker) {}
}

extension Camera: FrameSource {}

extension FrameCounters {
    /// The faults that the driver and the stream of its frames show.
    var faults: FrameFaults {
        var faults = FrameFaults()
        faults[.flagged] = flagged
        faults[.empty] = empty
        faults[.stale] = stale
        faults[.repeated] = repeated
        return faults
    }
}
