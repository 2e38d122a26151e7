import Configuration
import Handoff
import Logging
import Readings
import V4L2

/// The loop that chooses a source, reads its frames, publishes readings, and starts over when the source fails.
///
/// It is used on the capture thread only; nothing but values leaves it.
struct CaptureLoop {
    typealias Unavailable = ReadingPublisher.Unavailable

    /// The origin of the choice of a source.
    enum Choice: Equatable {
        /// The configuration's `camera.device`.
        case configured
        /// A client's request for the camera with this id.
        case camera(id: String)
        /// A client's request for the test pattern.
        case testPattern
    }

    /// The reason why the loop stops reading a source.
    enum Ending {
        /// Something else is wanted. The source may still be usable.
        case interrupted(Interruption)
        /// The source can no longer be used, or could not be opened.
        case failed(Unavailable, wasOpen: Bool)
    }

    /// The action that replaces reading the source in use.
    enum Interruption {
        /// Decide again which source is wanted.
        case reconsider
        /// Switch to the first of these cameras that can be opened, or to the test pattern if the list is empty.
        case request(CameraRequests.Request, candidates: [DeviceNode])
    }

    /// The outcome of trying several cameras.
    enum Attempt {
        /// One of them was opened and read; `next` is what to do now.
        case captured(next: Interruption)
        /// None of them could be opened. The value is the first of them, with the reason; nil if there were none.
        case noneOpened((unavailable: Unavailable, node: DeviceNode)?)
    }

    /// The greatest number of lines that are remembered so that they are not logged again.
    private static let maxAnnounced = 50

    let context: CaptureContext
    let publisher: ReadingPublisher
    var sourceChoice = Choice.configured
    /// The id of the camera that a person last chose, perhaps in an earlier run; used if the device is `auto`.
    var rememberedID: String?
    /// The camera to stay with; nil until one delivers frames or is opened for a client, and after another choice.
    var heldCamera: HeldCamera?
    var backoff = Backoff()
    /// The parameters with which the source in use was opened.
    var parameters: Follower<Settings, OpenParameters>
    private var limiter = LogRateLimiter()
    /// The lines that were logged since a source last began to deliver, so that a source that fails in the same ways
    /// again and again does not repeat them.
    var announced: Set<String> = []

    init(_ context: CaptureContext) {
        self.context = context
        publisher = ReadingPublisher(
            settings: .init(context.config.value.effective), readings: context.readings, notices: context.notices,
            revisions: context.revisions, influence: context.influence, demand: context.demand,
            clock: context.clock.now,
            record: { [history = context.history] in history?.add($0, isRepeated: $1) })
        parameters = Follower(context.config) { OpenParameters($0.effective) }
        do throws(StateFileError) {
            rememberedID = try context.stateFile?.camera()
        } catch {
            context.log.warning("\(error)")
        }
    }

    /// Runs until the queue of requests is stopped.
    mutating func run() {
        var next = Interruption.reconsider
        while !context.requests.isStopped {
            context.directory.refresh()
            followConfig()
            if case .reconsider = next { next = nextRequest() ?? .reconsider }
            switch next {
            case .reconsider: next = useSource()
            case .request(let request, let candidates): next = switchCamera(request, candidates: candidates)
            }
        }
        if case .request(let request, _) = next { request.reply(.failure(.unavailable)) }
    }

    /// Forgets a client's choice when the configuration names another camera.
    private mutating func followConfig() {
        let device = parameters.current.device
        guard let wanted = parameters.takeChange() else { return }
        backoff.reset()
        guard wanted.device != device else { return }
        sourceChoice = .configured
        heldCamera = nil
    }

    private mutating func useSource() -> Interruption {
        switch selection() {
        case .cameras(let candidates): return use(candidates)
        case .testPattern: return useTestPattern()
        case .noMatch(let mismatch):
            if let heldCamera {
                wait(
                    because: Unavailable(state: .lost, message: lossSentence(for: heldCamera)),
                    camera: heldCamera.node.lostCamera)
            } else {
                wait(because: Unavailable(state: .noCamera, message: mismatch.sentenceForConfiguration), camera: nil)
            }
            return .reconsider
        }
    }

    /// Decides which source is wanted now.
    private mutating func selection() -> SourceSelection {
        let nodes = context.directory.nodes.value
        let named = SourceSelection(device: wantedDevice, remembered: rememberedID, among: nodes)
        if isRememberedCameraBack(among: nodes) { heldCamera = nil }
        guard let heldCamera else { return named }
        if let same = heldCamera.node.found(among: nodes) { return .cameras([same]) }
        // The configuration may mean any camera at a path or with a name, not only the one that was lost.
        if sourceChoice == .configured, wantedDevice != "auto", case .cameras = named { return named }
        return .noMatch(.unknown(device: heldCamera.node.id, present: nodes))
    }

    private var wantedDevice: String {
        switch sourceChoice {
        case .configured: parameters.current.device
        case .camera(let id): id
        case .testPattern: TestPattern.camera.id
        }
    }

    /// Whether the camera in use stands in for one that can now be used again.
    func isRememberedCameraBack(among nodes: [DeviceNode]) -> Bool {
        heldCamera?.isStandIn == true && nodes.contains { $0.id == rememberedID && $0.problem == nil }
    }

    private func lossSentence(for camera: HeldCamera) -> String {
        let nodes = context.directory.nodes.value
        let others = nodes.isEmpty ? "" : " Or choose another camera: \(nodes.enumeration)."
        return "\(camera.lossPrefix)\(camera.node.name) is gone. Plug it in again; Swatchcam then continues by itself."
            + others
    }

    /// Reads the first of these cameras that can be opened, and waits if none can.
    private mutating func use(_ candidates: [DeviceNode]) -> Interruption {
        switch captureFirst(of: candidates) {
        case .captured(let next): return next
        case .noneOpened(let problem):
            if let problem { wait(because: problem.unavailable, camera: problem.node.camera) }
            return .reconsider
        }
    }

    /// Reads the first of these cameras that can be opened, until something else is wanted or it fails.
    /// - Parameter request: The request for one of them, if there is one.
    mutating func captureFirst(of candidates: [DeviceNode], for request: CameraRequests.Request? = nil) -> Attempt {
        var problem: (unavailable: Unavailable, node: DeviceNode)?
        for node in candidates {
            switch capture(from: node, for: request) {
            case .interrupted(let interruption): return .captured(next: interruption)
            case .failed(let unavailable, wasOpen: true):
                wait(because: unavailable, camera: node.camera)
                return .captured(next: .reconsider)
            case .failed(let unavailable, wasOpen: false): problem = problem ?? (unavailable, node)
            }
        }
        return .noneOpened(problem)
    }

    // MARK: Without a source

    /// Waits for an event or for the next attempt, and publishes at each tick why there is no colour.
    mutating func wait(because unavailable: Unavailable, camera: Reading.Camera?) {
        announce(unavailable.message, level: .warning)
        let end = context.clock.now() + backoff.next()
        repeat {
            publish(unavailable, camera: camera)
            if context.clock.wait(context.requests.waker, min(end, publisher.deadline)) { return }
        } while context.clock.now() < end
    }

    /// Publishes that there is no colour.
    func publish(_ unavailable: Unavailable, camera: Reading.Camera?) {
        publisher.settings = .init(context.config.value.effective)
        publisher.publish(unavailable, camera: camera, at: context.clock.now())
    }

    /// Logs a line once, rather than at each attempt to get a source to deliver.
    mutating func announce(_ line: String, level: Logger.Level = .info) {
        guard !announced.contains(line) else { return }
        let lines = limiter.lines(for: line)
        for line in lines { context.log.log(level: level, "\(line)") }
        // There are as many different lines as there are cameras and ways to fail; messages with a time could be more.
        if announced.count >= Self.maxAnnounced { announced.removeAll() }
        if !lines.isEmpty { announced.insert(line) }
    }
}

extension DeviceNode {
    /// The camera in readings while it is gone and has no node.
    fileprivate var lostCamera: Reading.Camera { Reading.Camera(id: id, name: name, device: nil) }
}
