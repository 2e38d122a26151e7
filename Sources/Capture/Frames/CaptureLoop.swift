import Configuration
import Handoff
import Logging
import Readings
import V4L2

/// Chooses a source, reads its frames, publishes, and starts over when the source fails: for ever.
///
/// Lives on the capture thread; only readings leave it.
struct CaptureLoop {
    typealias Unavailable = ReadingPublisher.Unavailable

    /// Why a source is not read any more.
    enum Ending {
        /// It may well be good; something else is wanted, or it is to be opened anew.
        case interrupted
        /// It is no good.
        case failed(Unavailable)
    }

    /// How long to wait before a source that failed is tried again unless something happens: longer each time, up to
    /// the last.
    private static let backoff = [0.25, 0.5, 1, 2]

    let config: Latest<Config>
    let directory: CameraDirectory
    let memory: StateFile?
    let bulletin: Bulletin
    let tap: PictureTap?
    let requests: CameraRequests
    let log: Logger
    var publisher: ReadingPublisher
    /// What a person asked for while the program runs: it stands above the configuration's `camera.device`.
    var chosen: String?
    /// Under `auto`, the camera that was chosen in an earlier run.
    var remembered: String?
    /// The camera that delivered last: it is waited for when it goes.
    var lastCamera: DeviceNode?
    /// When it went, in words; nil while it delivers.
    var lostAt: String?
    /// A request that was found good, with what is to be tried.
    var pending: (request: CameraRequests.Request, candidates: [DeviceNode])?
    /// Who waits for a camera that is being opened.
    var switching: CameraRequests.Request?
    /// Whether the present camera could be opened.
    var isOpen = false
    /// Whether the present camera stands in for the one that is remembered.
    var isStopgap = false
    /// What the configuration said of the camera when the source was opened.
    var opening = OpenParameters(Config.Camera())
    /// In a row.
    var failures = 0
    private var limiter = LogRateLimiter()

    init(
        config: Latest<Config>, readings: Latest<Reading>, directory: CameraDirectory, memory: StateFile?,
        bulletin: Bulletin, demand: Demand?, tap: PictureTap?, requests: CameraRequests, log: Logger
    ) {
        self.config = config
        self.directory = directory
        self.memory = memory
        self.bulletin = bulletin
        self.tap = tap
        self.requests = requests
        self.log = log
        publisher = ReadingPublisher(
            settings: .init(config.value), readings: readings, bulletin: bulletin, demand: demand)
        do throws(CameraMemoryError) {
            remembered = try memory?.recall()
        } catch {
            log.warning("\(error)")
        }
    }

    /// Runs until the queue is stopped.
    mutating func run() {
        while !requests.isStopped {
            directory.refresh()
            followConfig()
            takeRequests()
            if let pending {
                self.pending = nil
                switchCamera(pending.request, candidates: pending.candidates)
            } else {
                useSource()
            }
        }
        pending?.request.answer(.failure(.unavailable))
    }

    private mutating func useSource() {
        switch selection() {
        case .cameras(let candidates): use(candidates)
        case .testPattern: useTestPattern()
        case .none(let mismatch):
            let unavailable =
                lastCamera.map { Unavailable(state: .lost, message: lossSentence(for: $0)) }
                ?? Unavailable(state: .noCamera, message: mismatch.sentenceForConfiguration)
            wait(because: unavailable, camera: lastCamera?.lostCamera)
        }
    }

    /// What is to be used now.
    private func selection() -> SourceSelection {
        let nodes = directory.nodes.value
        let device = chosen ?? opening.device
        guard let lastCamera else { return SourceSelection(device: device, remembered: remembered, among: nodes) }
        if let same = lastCamera.found(among: nodes) { return .cameras([same]) }
        // The configuration may name whatever is at a place, or goes by a name.
        if chosen == nil, device != "auto", case .cameras(let named) = SourceSelection(device: device, among: nodes) {
            return .cameras(named)
        }
        // Its place is not taken by another, nor by invented colours: that would be a lie.
        return .none(.unknown(device: lastCamera.id, present: nodes))
    }

    private func lossSentence(for camera: DeviceNode) -> String {
        let nodes = directory.nodes.value
        let others = nodes.isEmpty ? "" : " Or choose another that is here: \(nodes.enumeration)."
        return "\(lostWords)\(camera.name) is gone. Plug it in again; Swatchcam goes on by itself.\(others)"
    }

    /// A new camera in the configuration stands above what was chosen before.
    private mutating func followConfig() {
        let wanted = OpenParameters(config.value.camera)
        if wanted.device != opening.device {
            chosen = nil
            lastCamera = nil
            lostAt = nil
        }
        if wanted != opening { failures = 0 }
        opening = wanted
    }

    /// Tries one after the other until one can be opened.
    private mutating func use(_ candidates: [DeviceNode]) {
        var problem: (unavailable: Unavailable, node: DeviceNode)?
        for node in candidates {
            guard case .failed(let unavailable) = capture(from: node) else { return }
            if isOpen || problem == nil { problem = (unavailable, node) }
            if isOpen { break }
        }
        if let problem { wait(because: problem.unavailable, camera: problem.node.camera) }
    }

    // MARK: Without a source

    var lostWords: String { lostAt.map { "Lost at \($0): " } ?? "" }

    /// Waits until something happens or it is time to try again, saying why at each tick.
    mutating func wait(because unavailable: Unavailable, camera: Reading.Camera?) {
        announce(unavailable.message, level: .warning)
        let end = MonotonicTime.now() + Self.backoff[min(failures, Self.backoff.count - 1)]
        failures += 1
        repeat {
            publisher.settings = .init(config.value)
            publisher.publish(unavailable, camera: camera, at: .now())
            if requests.waker.wait(until: min(end, publisher.deadline)) { return }
        } while MonotonicTime.now() < end
    }

    /// Logs a line once, not at each retry.
    mutating func announce(_ line: String, level: Logger.Level = .info) {
        for line in limiter.lines(for: line) { log.log(level: level, "\(line)") }
    }
}

/// What of the configuration a source is opened with; everything else is followed while it runs.
struct OpenParameters: Equatable {
    var device: String
    var format: String
    var width: Int
    var height: Int
    var fps: Double

    init(_ camera: Config.Camera) {
        device = camera.device
        format = camera.format
        width = camera.width
        height = camera.height
        fps = camera.fps
    }
}

extension DeviceNode {
    /// For readings while it is gone: it has no node.
    fileprivate var lostCamera: Reading.Camera { Reading.Camera(id: id, name: name, device: nil) }
}
