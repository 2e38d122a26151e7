import Color
package import Documents
import FoundationEssentials
package import Handoff
package import Metrology
package import Palettes
package import Pixels

/// A publisher of readings at the configured rate. Each has the colour of a frame, or says why there is none.
///
/// It alone decides when a reading is due: ``need(at:)`` for a frame, ``repeatIfOverdue(captureRate:delivered:dropped:at:)``
/// for a tick without one, ``publish(_:camera:dropped:at:)`` without a colour. `Ticker` counts the ticks. It is used on
/// the capture thread only.
package final class ReadingPublisher {
    /// The reason why there is no colour.
    package struct Unavailable: Equatable, Sendable {
        var state: Reading.State
        package var message: String

        package init(state: Reading.State, message: String) {
            self.state = state
            self.message = message
        }
    }

    /// The number of readings per second while nobody watches.
    private static let unwatchedRate = 1.0 / 60

    /// The settings for the next readings.
    package var settings: Settings {
        didSet {
            updateTicker()
            if settings.frames != oldValue.frames || settings.region != oldValue.region { markDisturbance() }
            if settings.probes != oldValue.probes {
                probes = settings.probes.map { FollowedProbe($0, after: probes) }
            }
        }
    }
    /// Whether readings are made at the configured rate; otherwise they are made once a minute and on request.
    private var usesConfiguredRate = true { didSet { updateTicker() } }
    private let readings: Latest<Reading>
    private let notices: Notices
    private let revisions: Latest<Revisions>
    private let influence: Latest<ControlInfluence>
    package let demand: Demand
    /// The clocks for ticks, rates and ages, and for the time of day that readings carry.
    package let clocks: Clocks
    private let recording: Latest<Recording?>
    private let palette: Latest<Palette?>
    private let calibrations: Latest<[String: Calibration]>
    private let timers: Latest<[ScaleTimer]?>
    private let parts: Latest<PartCounts>
    private let absorbance: Latest<AbsorbanceSetup?>
    private var ticker: Ticker
    private var sequence: UInt64 = 0
    private var rate = RateMeter()
    private var hasColor = false
    /// The time for which the colour of a camera may settle after its first frame, in seconds.
    private let settlingTime: Double
    /// The wait until the colour of the source in use holds; nil if it does.
    private var settling: ColorSettling?
    private let record: (_ reading: Reading, _ isRepeated: Bool) -> Void
    private var series = ReadingSeries()
    private var regionState = AreaStateTracker()
    /// What is remembered of each probe, in their order.
    private var probes: [FollowedProbe]
    private var tracker: ReferenceTracker
    private var losses = FrameLosses()
    /// The faults of the frames of the source in use.
    package var faults = FrameFaults()
    /// The camera in use, and the faults of its frames when it was open before.
    private var source: (camera: String, faults: FrameFaults)?
    /// The value of ``ControlInfluence/changeCount`` when the series began.
    private var controlChanges = 0
    /// The reading that is repeated if a tick has no other. Without a colour, it has no frame either.
    private var last: Reading?

    /// - Parameters:
    ///   - influence: The influence of the camera's controls on the colour.
    ///   - recording: The recording of a client, which readings name while it runs.
    ///   - palette: The configured palette, of which readings name the nearest entry.
    ///   - calibrations: The calibrations of cameras, by the cameras' ids.
    ///   - timers: The scales that are to be read later.
    ///   - parts: The parts that were judged so far.
    ///   - absorbance: What absorbances are computed from.
    ///   - reference: The reference light, which is set here from the first readings of a reference probe.
    ///   - settlingTime: The time for which the colour of a camera may settle after its first frame, in seconds.
    ///   - record: Receives every reading, and whether it repeats the one before. It is called on the capture thread:
    ///     waking another thread would cost more than the call does, and that thread could miss a reading.
    package init(
        settings: Settings, readings: Latest<Reading>, notices: Notices = Notices(),
        revisions: Latest<Revisions> = Latest(Revisions()), influence: Latest<ControlInfluence> = Latest(.init()),
        demand: Demand = Demand(), recording: Latest<Recording?> = Latest(nil),
        palette: Latest<Palette?> = Latest(nil), calibrations: Latest<[String: Calibration]> = Latest([:]),
        timers: Latest<[ScaleTimer]?> = Latest(nil),
        parts: Latest<PartCounts> = Latest(PartCounts()), absorbance: Latest<AbsorbanceSetup?> = Latest(nil),
        reference: Latest<ReferenceLight?> = Latest(nil), settlingTime: Double = 0, clocks: Clocks = Clocks(),
        record: @escaping (_ reading: Reading, _ isRepeated: Bool) -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.readings = readings
        self.notices = notices
        self.revisions = revisions
        self.influence = influence
        self.demand = demand
        self.clocks = clocks
        self.recording = recording
        self.palette = palette
        (self.calibrations, self.timers) = (calibrations, timers)
        self.parts = parts
        self.absorbance = absorbance
        self.settlingTime = settlingTime
        self.record = record
        probes = settings.probes.map { FollowedProbe($0) }
        tracker = ReferenceTracker(reference)
        ticker = Ticker(rate: settings.rate, start: clocks.now())
    }

    /// The time at which something has to be published even if no frame has arrived.
    package var deadline: MonotonicTime { ticker.deadline }

    /// Adapts the rate of readings to the demand. Readings that average several frames need every frame, wanted or not.
    /// - Parameter framePeriod: The time from one frame to the next, in seconds, for which a caller has to wait.
    package func followDemand(framePeriod: Double) {
        demand.framePeriod = framePeriod
        usesConfiguredRate = needsEveryFrame || demand.isWatching
    }

    /// Whether every frame is read, wanted or not, because readings average several.
    private var needsEveryFrame: Bool { settings.frames > 1 }

    /// Whether the next frame is wanted, whenever it arrives.
    package var wantsNextFrame: Bool { !hasColor || needsEveryFrame || demand.wantsFrames }

    /// What readings need of a frame.
    package enum Need: Sendable {
        case nothing
        /// Its colours, because a later reading averages them.
        case colors
        /// Its colours and statistics, because it becomes a reading.
        case reading
    }

    /// Returns what readings need of a frame that arrives now.
    ///
    /// It becomes a reading if it is the first of its tick, if there was no colour before it, if a caller or a new
    /// watcher waits for it, or if frames are rare and nobody watches.
    package func need(at now: MonotonicTime) -> Need {
        if ticker.isDue(at: now) || !hasColor || wantsFrameBetweenTicks { return .reading }
        return needsEveryFrame ? .colors : .nothing
    }

    /// Whether the next frame is wanted between two ticks: a caller waits for it, a watcher came after the ticks became
    /// rare, or frames are rare and nobody watches.
    private var wantsFrameBetweenTicks: Bool {
        demand.hasCallers || !usesConfiguredRate && (demand.isWatching || demand.framesAreRare)
    }

    /// Restarts the statistics over time, because something other than the scene may have changed the colour.
    package func markDisturbance() {
        series = ReadingSeries()
        tracker.markDisturbance()
        for index in probes.indices { probes[index].markDisturbance() }
    }

    /// Returns whether a frame is read for the lights: every one while readings are watched, otherwise those that become
    /// readings.
    package func followsLights(_ need: Need) -> Bool {
        (usesConfiguredRate || need == .reading) && probes.contains { $0.light != nil }
    }

    /// Takes what a frame shows of the lights, in the order of the probes that are lights.
    package func follow(_ frames: [LightFrame], at time: MonotonicTime) {
        let seconds = time - MonotonicTime(nanoseconds: 0)
        for (index, frame) in zip(probes.indices.filter { probes[$0].light != nil }, frames) {
            probes[index].light?.add(time: seconds, level: frame.level, room: frame.room, glow: frame.glow)
        }
    }

    /// Records the number of frames lost or not used so far, also with frames that no reading needs: the next reading
    /// says what was lost in the last ten seconds.
    package func recordLosses(total: UInt64, at now: MonotonicTime) { losses.record(total: total, at: now) }

    /// Begins with the frames of a source that was just opened. Their faults are counted on from those that it had before
    /// if it is the same camera.
    /// - Parameter settles: Whether its first colours may be wrong.
    package func beginSource(_ camera: String, settles: Bool) {
        settling = settles && settlingTime > 0 ? ColorSettling(limit: settlingTime) : nil
        source = (camera, source?.camera == camera ? allFaults : FrameFaults())
        faults = FrameFaults()
    }

    private var allFaults: FrameFaults { (source?.faults ?? FrameFaults()) + faults }

    /// Publishes the reading of a frame.
    /// - Parameters:
    ///   - measured: What the region shows.
    ///   - shown: What the probes show, in the order of the settings.
    ///   - isIndependent: Whether the reading shares no frame with the last independent one. Readings that share frames
    ///     are alike, and would make the noise seem smaller.
    ///   - moved: The distance by which the picture has moved since the areas were set, in pixels; nil if it has not.
    ///   - frame: The frame, whose age is set here.
    ///   - captureRate: The measured number of frames per second.
    ///   - delivered: The number of frames that the source has delivered.
    ///   - dropped: The number of frames lost or not used so far.
    package func publish(
        _ measured: Reading.Measurement, probes shown: [Reading.Measurement] = [], isIndependent: Bool = true,
        moved: Double? = nil, of frame: Reading.Frame, camera: Reading.Camera, state: Reading.State,
        captureRate: Double, delivered: UInt64 = 0, dropped: UInt64, at now: MonotonicTime
    ) {
        let influence = influence.value
        if controlChanges != influence.changeCount {
            controlChanges = influence.changeCount
            markDisturbance()
        }
        if settling?.observe(measured.mean, at: now) == true {
            settling = nil
            markDisturbance()
        }
        if isIndependent { series.add(measured.mean, at: now) }
        let probeColors = zip(probes.indices, shown).map { index, measurement in
            if isIndependent { probes[index].series.add(measurement.mean, at: now) }
            var color = Reading.ProbeColor(
                probes[index].probe, measurement, among: probes[index].series, against: settings.targets,
                palette: palette.value)
            color.light = probes[index].light?.state()
            return color
        }
        let reference = tracker.status(probeColors, camera: camera.id, isNew: isIndependent)
        let stability = series.stability
        var evidence = Quality.Evidence(measured, stability)
        evidence.activeAutoControls = influence.activeAutoControls
        if influence.camera == camera.id { evidence.adjustable = influence.adjustable }
        evidence.moved = moved
        evidence.isSettling = settling != nil
        evidence.losses = losses.losses(total: dropped, rate: captureRate, at: now)
        let quality = Quality(evidence)
        let reading = Reading(
            state: state, mean: measured.mean, linear: measured.linear, statistics: measured.statistics, frame: frame,
            stability: stability, quality: quality, camera: camera, rate: .init(capture: captureRate),
            delivered: delivered,
            dropped: dropped,
            judgement: series.judgement(against: settings.targets, quality).with(measured.coverage),
            probes: probeColors,
            scales: settings.scales.map { .init($0, series.newest, quality, probeColors) }, reference: reference)
        ticker.serve(at: now)
        last = reading
        demand.answer(send(reading, at: now))
    }

    /// Publishes the newest reading again if a tick has ended without a frame.
    ///
    /// A camera may be slower than the configured rate. The age of the frame grows with each repetition. While a lost
    /// camera is open again, but has not delivered yet, the reading says that it is lost.
    package func repeatIfOverdue(
        captureRate: Double, delivered: UInt64 = 0, dropped: UInt64, at now: MonotonicTime
    ) {
        guard ticker.isOverdue(at: now) else { return }
        // The tick is served even if there is nothing to repeat, so that the deadline lies in the future.
        ticker.serveOverdue(at: now)
        guard var reading = last else { return }
        (reading.rate.capture, reading.delivered, reading.dropped) = (captureRate, delivered, dropped)
        send(reading, isRepeated: true, at: now)
    }

    /// Publishes that there is no colour, and why: immediately if that is new, otherwise once a tick.
    package func publish(
        _ unavailable: Unavailable, camera: Reading.Camera?, dropped: UInt64 = 0, at now: MonotonicTime
    ) {
        // While there is no source, ticks cost nothing.
        usesConfiguredRate = true
        markDisturbance()
        let current = readings.value
        let reading = Reading(
            state: unavailable.state, message: unavailable.message, camera: camera, dropped: dropped,
            judgement: Reading.Judgement(without: settings.targets),
            probes: settings.probes.map { Reading.ProbeColor($0, nil, against: settings.targets) },
            scales: settings.scales.map { .init(withoutColor: $0) })
        last = reading
        let isNews =
            sequence == 0 || current.state != unavailable.state || current.message != unavailable.message
            || current.camera != camera
        guard isNews || ticker.isOverdue(at: now) else { return }
        if isNews { ticker.serve(at: now) } else { ticker.serveOverdue(at: now) }
        demand.answer(send(reading, at: now))
    }

    private func updateTicker() {
        let wanted = usesConfiguredRate ? settings.rate : min(settings.rate, Self.unwatchedRate)
        guard wanted != ticker.rate else { return }
        // For a new watcher, an old colour is not repeated, and the low rate so far does not count.
        if wanted > ticker.rate {
            if last?.mean != nil { last = nil }
            rate = RateMeter()
        }
        ticker = Ticker(rate: wanted, start: clocks.now())
    }

    /// Completes a reading and publishes it.
    /// - Parameter content: What is known of it before it is published.
    /// - Returns: The reading as it was published.
    @discardableResult
    private func send(_ content: Reading, isRepeated: Bool = false, at now: MonotonicTime) -> Reading {
        sequence += 1
        rate.record(total: sequence, at: now)
        let before = readings.value
        var reading = content
        if let time = content.frame?.time {
            reading.frame?.ageMs = max(0, (clocks.now() - time) * 1000)
            reading.expiry = Reading.expiry(
                ofFrameAt: time, rate: settings.rate, framePeriod: demand.framePeriod, now: now)
        }
        reading = reading.asOf(now)
        hasColor = reading.state.hasColor
        (reading.sequence, reading.time) = (sequence, clocks.date())
        // While a lost camera is tried again and again, the state began with the first attempt.
        reading.since = before.sequence > 0 && before.state == reading.state ? before.since : reading.time
        (reading.effect, reading.region) = (settings.effect, settings.region)
        (reading.rate.reading, reading.rate.wanted) = (rate.rate(at: now), settings.rate)
        reading.faults = allFaults
        (reading.notices, reading.revisions, reading.palette) = (notices.all, revisions.value, palette.value)
        for timer in timers.value ?? [] {
            if let index = reading.scales.firstIndex(where: { $0.name == timer.name }) {
                reading.scales[index].due = timer.due
            }
        }
        reading.recording = recording.value.flatMap { $0.isRunning ? $0 : nil }
        followStates(of: &reading, isRepeated: isRepeated, at: now)
        if !settings.targets.isEmpty {
            let counted = parts.update { [hold = settings.hold] parts in
                // A repeated reading says nothing new about the part.
                if !isRepeated { parts.add(reading.judgement, hold: hold, at: now) }
            }
            reading.judgement.add(counted)
            reading.parts = counted
        }
        if let camera = reading.camera?.id, let calibration = calibrations.value[camera] {
            reading.apply(calibration, influence.value)
        }
        if let setup = absorbance.value { reading.apply(setup, influence.value) }
        readings.publish(reading)
        record(reading, isRepeated)
        return reading
    }

    /// Follows the states of the region and of the probes, and adds them to a reading.
    private func followStates(of reading: inout Reading, isRepeated: Bool, at now: MonotonicTime) {
        if !reading.state.hasColor {
            regionState.reset()
            for index in probes.indices { probes[index].state.reset() }
        } else if !isRepeated {
            regionState.add(reading.judgement, hold: settings.hold, at: now, reading.time)
            for (index, color) in zip(probes.indices, reading.probes) {
                probes[index].state.add(color.judgement, hold: settings.hold, at: now, reading.time)
            }
        }
        (reading.regionState, reading.hasHeldState) = (regionState.state, regionState.hasHeld)
        for (index, followed) in zip(reading.probes.indices, probes) {
            (reading.probes[index].state, reading.probes[index].hasHeldState) =
                (followed.state.state, followed.state.hasHeld)
        }
    }
}
