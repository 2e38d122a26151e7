import Configuration
import Documents
import FoundationEssentials
import Handoff
import Logging
import Readings
import State
import Storage
import Untrusted
import V4L2

/// The use of one source, from opening it to releasing it.
extension CaptureLoop {
    /// A camera that is being opened, perhaps for a client.
    private struct Opening {
        let node: DeviceNode
        let request: CameraRequests.Request?
        /// Whether the camera is open, and the request answered.
        var isDone = false
    }

    /// The interval at which a device without a signal is checked for one, in seconds.
    private static let signalInterval = 1.0

    /// Opens a camera and reads it until another source is wanted. When it returns or throws, the camera is released.
    /// - Parameter request: The request for this camera. It is answered when the camera is open, but not if opening it
    ///   fails.
    mutating func use(_ node: DeviceNode, for request: CameraRequests.Request?) throws(SourceFailure) {
        if backoff.isFresh {
            publish(Unavailable(state: .starting, message: "Opening \(node.path)."), camera: node.camera)
        }
        // However the use of this camera ends, these notices do not apply to the next source.
        defer { for topic in [.negotiated, .colorimetry] as [Notice.Topic] { shared.notices.post(nil, about: topic) } }
        var opening = Opening(node: node, request: request)
        let problem: Unavailable?
        var needsRestart = false
        do throws(V4L2Error) {
            problem = try stream(&opening)
        } catch {
            // A camera whose source changed is opened again at once, unless earlier attempts have failed.
            if case .sourceChanged = error, backoff.isFresh { return }
            recordLoss(of: node)
            if case .lostByLayer = error { needsRestart = true }
            problem = Unavailable(error, loss: heldCamera?.lossPrefix)
        }
        if let problem {
            throw SourceFailure(
                reason: problem, camera: node.camera, wasOpen: opening.isDone, needsRestart: needsRestart)
        }
    }

    /// Opens a camera and reads it until another source is wanted.
    /// - Returns: The reason why it cannot be used; nil if another source is wanted.
    /// - Throws: `V4L2Error` when the camera fails.
    private mutating func stream(_ opening: inout Opening) throws(V4L2Error) -> Unavailable? {
        let node = opening.node
        let wanted = shared.config.value.effective.camera
        var device = try shared.open(node.path)
        _ = try device.applyLayout(wanted.controls)
        device.subscribeToSourceChanges()
        while let problem = try device.adoptSignal() {
            recordOpening(&opening)
            let unavailable = Unavailable(state: .noSignal, message: "\(node.name) (\(node.path)): \(problem.sentence)")
            log.log(.warning, unavailable.message)
            publish(unavailable, camera: node.camera)
            let deadline = min(publisher.deadline, shared.clocks.now() + Self.signalInterval)
            _ = try device.waitForEvents(before: deadline, orUntil: shared.cameraRequests.waker)
            if isInterrupted() { return nil }
        }
        // The signal comes first, because its timings decide which sizes are offered.
        let fourCC: FourCC
        switch FormatSelection(wanted, offered: device.offeredFormats()) {
        case .unsupported(let message): return Unavailable(state: .unsupported, message: "\(node.path): \(message)")
        case .format(let chosen): fourCC = chosen
        }
        let filter = heldCamera?.node.id == node.id ? heldCamera?.filter : nil
        var source = try Camera(
            device, fourCC: fourCC, width: wanted.width, height: wanted.height, framesPerSecond: wanted.fps,
            filter: filter ?? StaleFrameFilter()
        ) { [log] device throws(V4L2Error) in
            // The controls are set only now, because a sensor's driver resets exposure and frame length with the
            // format. While another program streams, no format can be set. The control thread sets the controls again
            // once the camera delivers, and posts the notice.
            let refusals = try device.apply(wanted.controls)
            if let problem = refusals.sentence() { log.log(.warning, problem) }
        }
        defer { if heldCamera?.node.id == node.id { heldCamera?.filter = source.filter } }
        recordOpening(&opening)
        return try pump(&source, of: node)
    }

    /// The notice while the test pattern stands in for a camera.
    /// - Parameter nodes: The connected nodes, none of which is a camera by itself.
    static func noCameraNotice(among nodes: [DeviceNode]) -> String {
        let untilThen = "Until then it shows its test pattern."
        guard let receiver = nodes.first(where: { $0.role == .receiver }) else {
            return "No camera was found. Plug one in: Swatchcam uses it at once. \(untilThen)"
        }
        let raw = nodes.first { $0.role == .sensor && $0.problem == nil }.map {
            "To read its sensor without libcamera, set camera.device = \"\($0.name)\". "
        }
        return "No camera was found that works by itself, but the receiver of a camera module, \(receiver.name) "
            + "(\(receiver.path)). \(V4L2Error.moduleAdvice) \(raw ?? "")\(untilThen)"
    }

    /// Shows the test pattern until another source is wanted.
    mutating func useTestPattern() {
        defer { shared.notices.post(nil, about: .camera) }
        if choosesAutomatically {
            shared.notices.post(Self.noCameraNotice(among: shared.directory.nodes.value), about: .camera)
            log.log(.warning, "No camera found: showing the built-in test pattern until one is plugged in.")
        } else {
            log.log(.info, "Showing the built-in test pattern.")
        }
        let wanted = shared.config.value.effective.camera
        var source = TestPattern(
            width: wanted.width, height: wanted.height, framesPerSecond: wanted.fps, controls: shared.scene,
            clocks: shared.clocks)
        // The program makes these frames itself: the source neither fails nor falls silent.
        _ = try? pump(&source, of: nil)
    }

    /// Whether the source is chosen automatically, so that the test pattern is shown only until there is a camera.
    private var choosesAutomatically: Bool { chosenDevice == nil && parameters.current.device == "auto" }

    /// Reads frames until another source is wanted or the source fails.
    /// - Parameter node: The camera; nil for the test pattern.
    /// - Returns: The reason why the source cannot be used; nil if another source is wanted.
    private mutating func pump<Source: FrameSource & ~Copyable>(
        _ source: inout Source, of node: DeviceNode?
    ) throws(V4L2Error) -> Unavailable? {
        let format = source.format
        let camera = node?.camera ?? TestPattern.camera
        func unsupported(_ problem: UnreadableFormat) -> Unavailable {
            let what = "The driver granted \(format.summary), which cannot be read"
            return Unavailable(state: .unsupported, message: "\(what): \(problem.reason).")
        }
        var pump: FramePump
        do throws(UnreadableFormat) {
            pump = try FramePump(
                format: format, config: shared.config, areas: shared.areaRequest, tap: tap, camera: camera,
                state: node == nil ? .testPattern : .live, failures: backoff.failures, publisher: publisher)
        } catch {
            return unsupported(error)
        }
        pump.scene = scene
        defer { scene = pump.scene }
        var hasDelivered = false
        while true {
            switch try pump.step(&source, waker: shared.cameraRequests.waker) {
            case .published where !hasDelivered:
                hasDelivered = true
                backoff.reset()
                log.forget()
                if let node {
                    hold(node)
                    let difference = format.difference(from: shared.config.value.effective.camera)
                    shared.notices.post(difference, about: .negotiated)
                    let warning = format.colorimetryWarning
                    shared.notices.post(warning, about: .colorimetry)
                    for sentence in [difference, warning].compactMap(\.self) {
                        log.log(.notice, "\(node.path): \(sentence)")
                    }
                    log.log(.info, "Reading \(camera.name) (\(node.path)), \(format.summary).")
                }
            case .published, .idle: break
            case .unsupported(let problem): return unsupported(problem)
            case .silent(let seconds, let fault):
                if let node { recordLoss(of: node, after: seconds) }
                return Unavailable(state: .lost, message: silenceSentence(for: camera, fault))
            }
            if isInterrupted() { return nil }
            if node == nil {
                if choosesAutomatically, selection() != .testPattern { return nil }
            } else if let heldCamera, heldCamera.node.id != pump.camera.id {
                pump.camera = heldCamera.node.camera
            }
            if source.hasLostSignal(at: shared.clocks.now()) { return nil }
        }
    }

    /// Returns whether another source may be wanted.
    ///
    /// Requests that cannot be met are refused here, without disturbing the source in use.
    private mutating func isInterrupted() -> Bool {
        if shared.cameraRequests.isStopped || parameters.hasChanged() { return true }
        pendingSwitch = nextSwitch()
        if pendingSwitch != nil { return true }
        guard let path = heldCamera?.node.path else { return false }
        // The id may have changed: udev names a node after it is made, and a second camera with the same serial number
        // changes the id of the first.
        let nodes = shared.directory.nodes.value
        if let same = nodes.first(where: { $0.path == path }) { heldCamera?.node = same }
        return isRememberedCameraBack(among: nodes)
    }

    /// Stays with a camera that delivers frames.
    private mutating func hold(_ node: DeviceNode) {
        let isPresent = shared.directory.nodes.value.contains { $0.id == rememberedID }
        heldCamera = HeldCamera(node, isStandIn: choosesAutomatically && rememberedID != nil && !isPresent)
    }

    private mutating func recordLoss(of node: DeviceNode, after silence: Double = 0) {
        if heldCamera?.node.id == node.id { heldCamera?.recordLoss(after: silence) }
    }

    /// Returns the sentences about a camera that is open, but delivers no frame that can be used. They stay the same
    /// however often it is opened again.
    private func silenceSentence(for camera: Reading.Camera, _ fault: FrameFault?) -> String {
        let since = heldCamera?.silentSince ?? "it was opened"
        let what =
            fault.map { " \($0.habit), and no usable frame since \(since). \($0.advice)" }
            ?? (": no new frame since \(since). "
                + "Swatchcam opens the camera again; if that does not help, unplug it and plug it in again.")
        return "\(heldCamera?.lossPrefix ?? "")\(camera.device ?? camera.name)\(what)"
    }

    /// Remembers a camera that is open now, and answers the request for it once its choice is on the disk.
    private mutating func recordOpening(_ opening: inout Opening) {
        guard !opening.isDone else { return }
        opening.isDone = true
        guard let request = opening.request else { return }
        let node = opening.node
        chosenDevice = node.id
        rememberedID = node.id
        // From now on the loop stays with this camera, even before its first frame.
        heldCamera = HeldCamera(node)
        shared.chosenCamera.latest.publish(node.id)
        guard shared.chosenCamera.isKept else { return request.reply(.success(node.camera)) }
        Task { [chosenCamera = shared.chosenCamera] in
            await chosenCamera.save()
            request.reply(.success(node.camera))
        }
    }
}
