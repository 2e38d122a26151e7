import Logging
import Pixels
import V4L2

/// Chooses a source, reads its frames, publishes, and starts over when the source fails: for ever.
///
/// Lives on the capture thread; only readings leave it.
struct CaptureLoop {
    /// How long to wait before a source that failed is tried again: doubled each time, up to the last.
    private static let backoff = [0.25, 0.5, 1, 2]
    /// How often to look for cameras while there is none.
    private static let rescanInterval = 1.0

    private let config: Config
    private let stop: StopSignal
    private let log: Logger
    private var publisher: ReadingPublisher
    private var captureRate = RateMeter()
    private var failures = 0
    private var lastLogged: String?
    /// The camera that delivered last, to tell one that is lost from one that was never there.
    private var lastLive: Reading.Camera?

    init(config: Config, readings: Latest<Reading>, stop: StopSignal, log: Logger) {
        self.config = config
        self.stop = stop
        self.log = log
        publisher = ReadingPublisher(rate: config.readings.rate, readings: readings)
    }

    /// Runs until the stop signal.
    mutating func run() {
        while !stop.isRaised {
            switch SourceSelection(device: config.camera.device, among: DeviceNode.all()) {
            case .camera(let node):
                use(node)
            case .testPattern where lastLive != nil:
                // A camera that was pulled out is waited for: inventing colours in its place would be a lie.
                let absence = ReadingPublisher.Absence(
                    state: .lost, message: "The camera is gone. Plug it in again; Swatchcam goes on by itself.")
                wait(Self.rescanInterval, because: absence, camera: lastLive)
            case .testPattern:
                useTestPattern()
            case .none(let message):
                wait(Self.rescanInterval, because: .init(state: .noCamera, message: message), camera: nil)
            }
        }
    }

    // MARK: Sources

    private mutating func use(_ node: DeviceNode) {
        let camera = Reading.Camera(id: node.id, name: node.name, device: node.path)
        if failures == 0, lastLive != camera {
            publisher.publish(.init(state: .starting, message: "Opening \(node.path)."), camera: camera, at: .now())
        }
        do throws(V4L2Error) {
            let device = try Device(opening: node.path)
            switch FormatSelection(config.camera, offered: device.offeredFormats()) {
            case .unsupported(let message):
                waitAfterFailure(.init(state: .unsupported, message: "\(node.path): \(message)"), camera: camera)
            case .format(let fourCC):
                var source = try Camera(
                    device, fourCC: fourCC, width: config.camera.width, height: config.camera.height,
                    framesPerSecond: config.camera.fps)
                try pump(&source, camera: camera, state: .live, until: nil)
            }
        } catch {
            waitAfterFailure(.init(error, wasLive: lastLive == camera), camera: camera)
        }
    }

    private mutating func useTestPattern() {
        // `auto` takes a camera as soon as there is one.
        let isStopgap = config.camera.device == "auto"
        announce(
            isStopgap
                ? "No camera found: showing the built-in test pattern until one is plugged in."
                : "Showing the built-in test pattern.")
        var source = TestPattern(
            width: config.camera.width, height: config.camera.height, framesPerSecond: config.camera.fps)
        var look = MonotonicTime.now() + Self.rescanInterval
        do throws(V4L2Error) {
            try pump(&source, camera: TestPattern.camera, state: .testPattern) { now in
                guard isStopgap, now >= look else { return false }
                look = now + Self.rescanInterval
                return !DeviceNode.all().isEmpty
            }
        } catch {
            waitAfterFailure(.init(error, wasLive: true), camera: TestPattern.camera)
        }
    }

    /// Reads frames until the stop signal, until the source fails, or until `isOver`, asked once a tick, says so.
    private mutating func pump(
        _ source: inout some FrameSource & ~Copyable, camera: Reading.Camera, state: Reading.State,
        until isOver: ((MonotonicTime) -> Bool)?
    ) throws(V4L2Error) {
        let format = source.format
        guard let layout = PictureLayout(format), let analyser = Analyser(layout: layout, region: config.readings.region)
        else {
            let message = "The driver granted \(format.summary), \(format.colorimetry.encoding.rawValue), which Swatchcam does not read."
            waitAfterFailure(.init(state: .unsupported, message: message), camera: camera)
            return
        }
        captureRate = RateMeter()
        var watchdog = SilenceWatchdog(framesPerSecond: format.framesPerSecond)
        var unreadable: UInt64 = 0
        while !stop.isRaised {
            let arrival = try source.withNextFrame(before: publisher.deadline, orUntil: stop.waker) { frame in
                let now = MonotonicTime.now()
                // A frame between ticks goes back untouched.
                let color = publisher.isDue(at: now)
                    ? frame.withBytes(ofPlane: 0) { Outcome(analyser.mean(of: $0)) } : .notWanted
                return (info: frame.info, time: now, color: color)
            }
            let now = MonotonicTime.now()
            let dropped = source.counters.dropped + unreadable
            if let arrival {
                captureRate.note(total: source.counters.delivered, at: arrival.time)
                // Damaged frames do not count: a camera that delivers nothing else is as good as silent.
                if case .damaged = arrival.color { unreadable += 1 } else { watchdog.noteFrame(at: arrival.time) }
                switch arrival.color {
                case .mean(let color):
                    if failures > 0 || lastLive != camera, state == .live {
                        announce("Reading \(camera.name) (\(camera.device ?? camera.id)), \(format.summary).")
                        lastLive = camera
                    }
                    failures = 0
                    publisher.publish(
                        color, of: arrival.info, format: format, camera: camera, state: state,
                        captureRate: captureRate.rate(at: now), dropped: dropped, at: now)
                case .damaged, .notWanted: break
                }
            }
            if let silence = watchdog.silence(at: now) {
                let message =
                    "\(camera.device ?? camera.name): no frame for \(Int(silence)) s. Swatchcam opens the camera anew; if that does not help, unplug it and plug it in again."
                waitAfterFailure(.init(state: .lost, message: message), camera: camera)
                return
            }
            publisher.repeatIfOverdue(captureRate: captureRate.rate(at: now), at: now)
            if let isOver, isOver(now) { return }
        }
    }

    /// What became of a frame.
    private enum Outcome {
        case mean(RGB)
        case damaged
        case notWanted

        init(_ color: RGB?) {
            self = color.map(Self.mean) ?? .damaged
        }
    }

    // MARK: Absence

    private mutating func waitAfterFailure(_ absence: ReadingPublisher.Absence, camera: Reading.Camera?) {
        let pause = Self.backoff[min(failures, Self.backoff.count - 1)]
        failures += 1
        wait(pause, because: absence, camera: camera)
    }

    /// Waits, saying why at each tick.
    private mutating func wait(_ seconds: Double, because absence: ReadingPublisher.Absence, camera: Reading.Camera?) {
        announce(absence.message, level: .warning)
        let end = MonotonicTime.now() + seconds
        repeat {
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

extension FrameFormat {
    /// For people: `YUYV 640x480 at 15.0 frames a second`.
    var summary: String {
        let rate = framesPerSecond.map { " at \(($0 * 10).rounded() / 10) frames a second" } ?? ""
        return "\(fourCC) \(width)x\(height)\(rate)"
    }
}
