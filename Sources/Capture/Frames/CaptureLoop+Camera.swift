import Configuration
import Foundation
import Handoff
import Logging
import Readings
import V4L2

/// One source, from opening it to giving it back.
extension CaptureLoop {
    /// How often a device that has no word for it is asked whether its signal is back.
    private static let signalInterval = 1.0

    /// Opens a camera and reads it until it fails or something else is wanted. When this returns, it is released.
    mutating func capture(from node: DeviceNode) -> Ending {
        isOpen = false
        let camera = node.camera
        if failures == 0 {
            publisher.publish(
                Unavailable(state: .starting, message: "Opening \(node.path)."), camera: camera, at: .now())
        }
        do throws(V4L2Error) {
            return try stream(from: node)
        } catch {
            bulletin.post(nil, about: .negotiated)
            // Opened again at once, unless it does nothing but change.
            if case .sourceChanged = error, failures == 0 { return .interrupted }
            noteLoss(of: node)
            return .failed(Unavailable(error, loss: lastCamera == nil ? nil : lostWords))
        }
    }

    /// - Throws: `V4L2Error` when the camera fails.
    private mutating func stream(from node: DeviceNode) throws(V4L2Error) -> Ending {
        let wanted = config.value.camera
        let device = try Device(opening: node.path)
        let fourCC: FourCC
        switch FormatSelection(wanted, offered: device.offeredFormats()) {
        case .unsupported(let message):
            return .failed(Unavailable(state: .unsupported, message: "\(node.path): \(message)"))
        case .format(let chosen): fourCC = chosen
        }
        try setControls(of: device)
        let notifiesSourceChange = device.subscribeToSourceChanges()
        while let problem = try device.adoptSignal() {
            noteOpen(node)
            let unavailable = Unavailable(state: .noSignal, message: "\(node.name) (\(node.path)): \(problem.sentence)")
            announce(unavailable.message, level: .warning)
            publisher.settings = .init(config.value)
            publisher.publish(unavailable, camera: node.camera, at: .now())
            let deadline = min(publisher.deadline, .now() + Self.signalInterval)
            _ = try device.waitForEvents(before: deadline, orUntil: requests.waker)
            if isInterrupted() { return .interrupted }
        }
        var source = try Camera(
            device, fourCC: fourCC, width: wanted.width, height: wanted.height, framesPerSecond: wanted.fps)
        noteOpen(node)
        let difference = source.format.difference(from: wanted)
        bulletin.post(difference, about: .negotiated)
        if let difference { announce("\(node.path): \(difference)", level: .notice) }
        var nextLook = MonotonicTime.now() + Self.signalInterval
        return try pump(&source, of: node, as: node.camera, state: .live) { source, now throws(V4L2Error) in
            guard !notifiesSourceChange, now >= nextLook else { return false }
            nextLook = now + Self.signalInterval
            return source.hasLostSignal
        }
    }

    /// Sets what the configuration says of the controls; says what the camera did not take.
    private mutating func setControls(of device: borrowing Device) throws(V4L2Error) {
        let problem = try device.apply(config.value.camera.controls).sentence
        bulletin.post(problem, about: .controls)
        if let problem { announce(problem, level: .warning) }
    }

    mutating func useTestPattern() {
        // `auto` takes a camera as soon as there is one.
        let isStopgap = chosen == nil && opening.device == "auto"
        announce(
            isStopgap
                ? "No camera found: showing the built-in test pattern until one is plugged in."
                : "Showing the built-in test pattern.", level: isStopgap ? .warning : .info)
        let wanted = config.value.camera
        var source = TestPattern(width: wanted.width, height: wanted.height, framesPerSecond: wanted.fps)
        let directory = directory
        // Its frames are its own: it neither fails nor falls silent.
        _ = try? pump(&source, of: nil, as: TestPattern.camera, state: .testPattern) { _, _ in
            isStopgap && !directory.nodes.value.isEmpty
        }
    }

    /// Reads frames until something else is wanted, until `isOver` says so, or until the source is no good any more.
    private mutating func pump<Source: FrameSource & ~Copyable>(
        _ source: inout Source, of node: DeviceNode?, as camera: Reading.Camera, state: Reading.State,
        until isOver: (borrowing Source, MonotonicTime) throws(V4L2Error) -> Bool
    ) throws(V4L2Error) -> Ending {
        let format = source.format
        let pump = FramePump(format: format, config: config, tap: tap, camera: camera, state: state)
        guard var pump else {
            let message =
                "The driver granted \(format.summary), \(format.colorimetry.encoding.rawValue), which Swatchcam does not read."
            return .failed(Unavailable(state: .unsupported, message: message))
        }
        var hasDelivered = false
        while true {
            switch try pump.step(&source, publisher: &publisher, waker: requests.waker) {
            case .published where !hasDelivered:
                hasDelivered = true
                failures = 0
                lostAt = nil
                if let node {
                    settle(on: node)
                    announce("Reading \(camera.name) (\(node.path)), \(format.summary).")
                }
            case .published, .idle: break
            case .silent(let seconds):
                let what = "\(camera.device ?? camera.name): no good frame for \(Int(seconds)) s."
                let advice = "Swatchcam opens the camera anew; if that does not help, unplug it and plug it in again."
                if let node { noteLoss(of: node) }
                return .failed(Unavailable(state: .lost, message: "\(lostWords)\(what) \(advice)"))
            }
            if isInterrupted() { return .interrupted }
            if let lastCamera, state == .live, lastCamera.id != pump.camera.id { pump.camera = lastCamera.camera }
            if try isOver(source, .now()) { return .interrupted }
        }
    }

    /// Whether something else is wanted than the present source; requests that cannot be met are refused here, without
    /// harm to it.
    private mutating func isInterrupted() -> Bool {
        if requests.isStopped || OpenParameters(config.value.camera) != opening { return true }
        takeRequests()
        if pending != nil { return true }
        guard let lastCamera else { return false }
        // Its id may have changed: udev names a node after it was made, and another camera of the same kind matters.
        let nodes = directory.nodes.value
        if let same = nodes.first(where: { $0.path == lastCamera.path }) { self.lastCamera = same }
        guard isStopgap, nodes.contains(where: { $0.id == remembered && $0.problem == nil }) else { return false }
        self.lastCamera = nil
        return true
    }

    private mutating func settle(on node: DeviceNode) {
        lastCamera = node
        let isPresent = directory.nodes.value.contains { $0.id == remembered }
        isStopgap = chosen == nil && opening.device == "auto" && remembered != nil && !isPresent
    }

    /// Notes when a camera that delivered went.
    private mutating func noteLoss(of node: DeviceNode) {
        guard let lastCamera, lastCamera.id == node.id, lostAt == nil else { return }
        lostAt = Date().formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
    }
}
