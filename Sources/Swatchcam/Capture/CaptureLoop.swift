import Logging
import V4L2

/// Chooses a source, reads its frames, publishes, and starts over when the source fails: for ever.
///
/// Lives on the capture thread; only readings leave it.
struct CaptureLoop {
    private typealias Absence = ReadingPublisher.Absence

    /// How long to wait before a source that failed is tried again: longer each time, up to the last.
    private static let backoff = [0.25, 0.5, 1, 2]
    /// How often to look for cameras while there is none.
    private static let rescanInterval = 1.0

    private let config: Latest<Config>
    private let tap: PictureTap?
    private let stop: StopSignal
    private let log: Logger
    private var publisher: ReadingPublisher
    /// In a row.
    private var failures = 0
    /// The camera that delivered last, to tell one that is lost from one that was never there.
    private var lastLive: Reading.Camera?
    private var lastLogged: String?

    init(
        config: Latest<Config>, readings: Latest<Reading>, bulletin: Bulletin, tap: PictureTap?, stop: StopSignal,
        log: Logger
    ) {
        self.config = config
        self.tap = tap
        self.stop = stop
        self.log = log
        publisher = ReadingPublisher(config: config.value, readings: readings, bulletin: bulletin)
    }

    /// Runs until the stop signal.
    mutating func run() {
        while !stop.isRaised {
            switch SourceSelection(device: config.value.camera.device, among: DeviceNode.all()) {
            case .camera(let node):
                use(node)
            case .testPattern where lastLive != nil:
                // A camera that was pulled out is waited for: inventing colours in its place would be a lie.
                let message = "The camera is gone. Plug it in again; Swatchcam goes on by itself."
                wait(Self.rescanInterval, because: Absence(state: .lost, message: message), camera: lastLive)
            case .testPattern:
                useTestPattern()
            case .none(let message):
                let state: Reading.State = lastLive == nil ? .noCamera : .lost
                wait(Self.rescanInterval, because: Absence(state: state, message: message), camera: lastLive)
            }
        }
    }

    // MARK: Sources

    private mutating func use(_ node: DeviceNode) {
        let camera = Reading.Camera(id: node.id, name: node.name, device: node.path)
        if failures == 0 {
            publisher.publish(Absence(state: .starting, message: "Opening \(node.path)."), camera: camera, at: .now())
        }
        let absence: Absence?
        do throws(V4L2Error) {
            absence = try capture(from: node, as: camera)
        } catch {
            absence = Absence(error, wasLive: lastLive == camera)
        }
        // By now the camera is released.
        if let absence { waitAfterFailure(absence, camera: camera) }
    }

    /// - Returns: Why the camera cannot be used, or cannot any more; nil after the stop signal.
    /// - Throws: `V4L2Error` when the camera fails.
    private mutating func capture(from node: DeviceNode, as camera: Reading.Camera) throws(V4L2Error) -> Absence? {
        let device = try Device(opening: node.path)
        let fourCC: FourCC
        switch FormatSelection(config.value.camera, offered: device.offeredFormats()) {
        case .unsupported(let message): return Absence(state: .unsupported, message: "\(node.path): \(message)")
        case .format(let chosen): fourCC = chosen
        }
        var source = try Camera(
            device, fourCC: fourCC, width: config.value.camera.width, height: config.value.camera.height,
            framesPerSecond: config.value.camera.fps)
        return try pump(&source, as: camera, state: .live) { _ in false }
    }

    private mutating func useTestPattern() {
        // `auto` takes a camera as soon as there is one.
        let isStopgap = config.value.camera.device == "auto"
        announce(
            isStopgap
                ? "No camera found: showing the built-in test pattern until one is plugged in."
                : "Showing the built-in test pattern.", level: isStopgap ? .warning : .info)
        var source = TestPattern(
            width: config.value.camera.width, height: config.value.camera.height,
            framesPerSecond: config.value.camera.fps)
        var nextLook = MonotonicTime.now() + Self.rescanInterval
        // Its frames are its own: it neither fails nor falls silent.
        _ = try? pump(&source, as: TestPattern.camera, state: .testPattern) { now in
            guard isStopgap, now >= nextLook else { return false }
            nextLook = now + Self.rescanInterval
            return !DeviceNode.all().isEmpty
        }
    }

    /// Reads frames until the stop signal, until `isOver` says so, or until the source is no good any more.
    /// - Returns: Why it is no good; nil otherwise.
    private mutating func pump(
        _ source: inout some FrameSource & ~Copyable, as camera: Reading.Camera, state: Reading.State,
        until isOver: (MonotonicTime) -> Bool
    ) throws(V4L2Error) -> Absence? {
        let format = source.format
        let pump = FramePump(
            format: format, config: config, tap: tap, camera: camera, state: state)
        guard var pump else {
            let message =
                "The driver granted \(format.summary), \(format.colorimetry.encoding.rawValue), which Swatchcam does not read."
            return Absence(state: .unsupported, message: message)
        }
        var hasDelivered = false
        while !stop.isRaised {
            switch try pump.step(&source, publisher: &publisher, waker: stop.waker) {
            case .published where !hasDelivered:
                hasDelivered = true
                failures = 0
                if state == .live {
                    lastLive = camera
                    announce("Reading \(camera.name) (\(camera.device ?? camera.id)), \(format.summary).")
                }
            case .published, .idle: break
            case .silent(let seconds):
                let what = "\(camera.device ?? camera.name): no good frame for \(Int(seconds)) s."
                let advice = "Swatchcam opens the camera anew; if that does not help, unplug it and plug it in again."
                return Absence(state: .lost, message: "\(what) \(advice)")
            }
            if isOver(.now()) { return nil }
        }
        return nil
    }

    // MARK: Absence

    private mutating func waitAfterFailure(_ absence: Absence, camera: Reading.Camera) {
        let pause = Self.backoff[min(failures, Self.backoff.count - 1)]
        failures += 1
        wait(pause, because: absence, camera: camera)
    }

    /// Waits, saying why at each tick.
    private mutating func wait(_ seconds: Double, because absence: Absence, camera: Reading.Camera?) {
        announce(absence.message, level: .warning)
        let end = MonotonicTime.now() + seconds
        repeat {
            publisher.config = config.value
            publisher.publish(absence, camera: camera, at: .now())
            _ = stop.waker.wait(until: min(end, publisher.deadline))
        } while !stop.isRaised && MonotonicTime.now() < end
    }

    /// Logs a line once, not at each retry.
    private mutating func announce(_ line: String, level: Logger.Level = .info) {
        guard line != lastLogged else { return }
        lastLogged = line
        log.log(level: level, "\(line)")
    }
}
