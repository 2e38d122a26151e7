import Configuration
import Glibc
import Handoff
import Logging
import Readings
import State
import Storage
import V4L2

/// The loop that chooses a source, reads its frames, publishes readings, and starts over when the source fails.
///
/// Only the capture thread uses it, and only values leave it.
///
/// If a source fails (`SourceFailure`), the loop publishes the state and a message once a tick, and tries again after a
/// bounded pause. A request, an edit, or a camera that comes or goes ends the pause early.
///
/// A camera that `config.toml` names is never replaced by another. If a camera that has delivered goes away, the loop
/// waits for it and recognises it by its id (`DeviceNode.found`). Once it is open again, it remains `lost` until it
/// delivers a new frame. The test pattern stands in only until `auto` has found a camera that delivers.
///
/// `CameraDirectory` opens devices on a queue of its own, because a device can hang in open(2). The capture thread
/// waits 0.1 s at most for the list, and until there is a first list, the state is `starting`. A path is checked before
/// it is opened, because opening alone can start a watchdog or reset a serial line: only character devices of
/// video4linux are opened.
struct CaptureLoop {
    typealias Unavailable = ReadingPublisher.Unavailable

    let shared: SharedState
    let tap: PictureTap?
    let publisher: ReadingPublisher
    /// The camera's id or `test-pattern`, as a client chose; nil if the configuration's `camera.device` is used.
    var chosenDevice: String?
    /// The switch that ended the use of the last source, until it is carried out.
    var pendingSwitch: CameraSwitch?
    /// The id of the camera that a person last chose, perhaps in an earlier run; used if the device is `auto`.
    var rememberedID: String?
    /// The camera to stay with; nil until one delivers frames or is opened for a client, and after another choice.
    var heldCamera: HeldCamera?
    /// The watch for movements of the picture, which also notices a camera that was moved while it was away.
    var scene = SceneWatch()
    var backoff = Backoff()
    /// The parameters with which the source in use was opened.
    var parameters: Follower<Settings, OpenParameters>
    /// The log of failures. The same failure is not logged again until a source delivers.
    let log: RateLimitedLogger

    init(_ shared: SharedState, tap: PictureTap? = nil) {
        self.shared = shared
        self.tap = tap
        log = RateLimitedLogger(shared.log, remembering: 50)
        publisher = ReadingPublisher(
            settings: .init(shared.config.value.effective), readings: shared.readings, notices: shared.notices,
            revisions: shared.revisions, influence: shared.influence, demand: shared.demand,
            recording: shared.recorder.recording, palette: shared.palette,
            calibrations: shared.calibrations.calibrations, timers: shared.scaleTimers.latest,
            parts: shared.parts, absorbance: shared.absorbance.latest,
            reference: shared.reference.latest, settlingTime: shared.settlingTime, clocks: shared.clocks,
            record: { [history = shared.history, config = shared.config] in
                history.add($0, isRepeated: $1, hold: config.value.effective.readings.hold)
            })
        parameters = Follower(shared.config) { OpenParameters($0.effective) }
        rememberedID = shared.chosenCamera.latest.value
    }

    /// Runs until the queue of requests is stopped.
    mutating func run() {
        while !shared.cameraRequests.isStopped {
            shared.directory.refresh()
            let device = parameters.current.device
            if let wanted = parameters.takeChange() {
                backoff.reset()
                // The configuration names another camera, which ends a client's choice.
                if wanted.device != device { (chosenDevice, heldCamera) = (nil, nil) }
            }
            do throws(SourceFailure) {
                if let next = pendingSwitch ?? nextSwitch() {
                    pendingSwitch = nil
                    try carryOut(next)
                } else {
                    try useSource()
                }
            } catch {
                wait(because: error)
            }
        }
        pendingSwitch?.request.reply(.failure(.unavailable))
    }

    private mutating func useSource() throws(SourceFailure) {
        // This is read before the list of cameras, because the first list may arrive in between.
        let isListed = shared.directory.isListed
        switch selection() {
        case .cameras(let candidates): try useFirst(of: candidates)
        // A device that hangs delays the first list, but not a test pattern that was chosen.
        case _ where !isListed && wantedDevice != TestPattern.camera.id:
            throw SourceFailure(reason: .init(state: .starting, message: "Looking for cameras. One is slow to answer."))
        case .testPattern: useTestPattern()
        case .noMatch(let mismatch):
            guard let heldCamera else {
                throw SourceFailure(reason: .init(state: .noCamera, message: mismatch.sentenceForConfiguration))
            }
            // While it is gone, it has no node.
            throw SourceFailure(
                reason: .init(state: .lost, message: lossSentence(for: heldCamera)),
                camera: Reading.Camera(id: heldCamera.node.id, name: heldCamera.node.name, device: nil))
        }
    }

    /// Decides which source is wanted now.
    mutating func selection() -> SourceSelection {
        let nodes = shared.directory.nodes.value
        let named = SourceSelection(device: wantedDevice, remembered: rememberedID, among: nodes)
        if isRememberedCameraBack(among: nodes) { heldCamera = nil }
        guard let heldCamera else { return named }
        if let same = heldCamera.node.found(among: nodes) { return .cameras([same]) }
        // The configuration may mean any camera at a path or with a name, not only the one that was lost.
        if chosenDevice == nil, wantedDevice != "auto", case .cameras = named { return named }
        return .noMatch(.unknown(device: heldCamera.node.id, present: nodes))
    }

    private var wantedDevice: String { chosenDevice ?? parameters.current.device }

    /// Whether the camera in use stands in for one that can now be used again.
    func isRememberedCameraBack(among nodes: [DeviceNode]) -> Bool {
        heldCamera?.isStandIn == true && nodes.contains { $0.id == rememberedID && $0.problem == nil }
    }

    private func lossSentence(for camera: HeldCamera) -> String {
        let nodes = shared.directory.nodes.value
        let others = nodes.isEmpty ? "" : " Or choose another camera: \(nodes.enumeration)."
        return "\(camera.lossPrefix)\(camera.node.name) is gone. Plug it in again; Swatchcam then continues by itself."
            + others
    }

    /// Reads the first of these cameras that can be opened, until another source is wanted.
    /// - Parameter request: The request for one of them, if there is one.
    /// - Throws: `SourceFailure` when that camera fails, or for the first camera if none can be opened.
    mutating func useFirst(
        of candidates: [DeviceNode], for request: CameraRequests.Request? = nil
    ) throws(SourceFailure) {
        var first: SourceFailure?
        for node in candidates {
            do throws(SourceFailure) {
                return try use(node, for: request)
            } catch {
                if error.wasOpen { throw error }
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    // MARK: Without a source

    /// The number of attempts, about two seconds apart, after which the program ends itself if only a restart can help.
    /// It is large, so that a page in use is rarely disturbed while another program keeps the camera.
    private static let attemptsBeforeRestart = 30

    /// Waits for an event or for the next attempt, and publishes at each tick why there is no colour.
    private mutating func wait(because failure: SourceFailure) {
        log.log(.warning, failure.reason.message)
        if failure.needsRestart, backoff.failures >= Self.attemptsBeforeRestart { shared.restart?() }
        let end = shared.clocks.now() + backoff.next()
        repeat {
            publish(failure.reason, camera: failure.camera)
            if shared.clocks.wait(shared.cameraRequests.waker, min(end, publisher.deadline)) { return }
        } while shared.clocks.now() < end
    }

    func publish(_ unavailable: Unavailable, camera: Reading.Camera?) {
        publisher.settings = .init(shared.config.value.effective)
        publisher.publish(unavailable, camera: camera, at: shared.clocks.now())
    }
}

/// The failure of a source, which could not be opened or can no longer be used.
struct SourceFailure: Error {
    let reason: ReadingPublisher.Unavailable
    /// The camera in readings; nil if there is none.
    var camera: Reading.Camera?
    var wasOpen = false
    /// Whether this process can never open the camera again.
    var needsRestart = false
}

extension ReadingPublisher.Unavailable {
    /// Makes the state and the sentence for an error of the camera.
    /// - Parameter loss: The start of the sentence, which says when the camera was lost; nil if the loop stays
    ///   with no camera.
    init(_ error: V4L2Error, loss: String?) {
        let state: Reading.State =
            switch error {
            case .denied, .confined: .denied
            case .busy, .system(_, EBUSY, _): .busy
            case _ where loss != nil: .lost
            case .notACaptureDevice, .imageProcessor, .graphNotSetUp, .sensorNotStarted: .unsupported
            case .notACamera, .system(_, ENXIO, _), .system(_, ENODEV, _): .noCamera
            default: .failed
            }
        self.init(state: state, message: (loss ?? "") + error.description)
    }
}

/// The settings with which a source is opened. Changes of all other settings take effect while it runs.
struct OpenParameters: Equatable {
    var device: String
    var format: String
    var width: Int
    var height: Int
    var fps: Double

    init(_ config: Config) {
        device = config.camera.device
        format = config.camera.format
        width = config.camera.width
        height = config.camera.height
        fps = config.camera.fps
    }
}

/// The wait before a camera that failed is tried again: it grows with each consecutive failure, up to 2 s.
struct Backoff {
    private static let waits = [0.25, 0.5, 1, 2]

    /// The number of consecutive failures.
    private(set) var failures = 0

    /// Whether no attempt has failed since the last success.
    var isFresh: Bool { failures == 0 }

    /// Counts a failure.
    /// - Returns: The wait before the next attempt, in seconds.
    mutating func next() -> Double {
        defer { failures += 1 }
        return Self.waits[min(failures, Self.waits.count - 1)]
    }

    mutating func reset() { failures = 0 }
}
