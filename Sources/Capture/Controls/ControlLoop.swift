import Configuration
import Documents
import Handoff
import Logging
import Metrology
import Readings
import State
import Storage
import V4L2

/// The loop that follows the controls of whichever camera is in use. Only the control thread uses it.
struct ControlLoop {
    /// The interval at which readings and automatic controls are looked at while the controls settle or the exposure is
    /// being set, in seconds.
    private static let settlingPeriod = 0.25
    /// The wait before a camera whose controls could not be read is tried again, in seconds.
    private static let retryTime = 5.0
    /// The wait while nothing is due, in seconds: events and requests end it.
    static let maxWait = 3600.0
    /// The shortest interval between two reads of events, in seconds: some controls change with every frame.
    private static let eventInterval = 0.3
    /// The same interval while nobody watches, and no calibration depends on the controls.
    private static let unwatchedEventInterval = 10.0

    let shared: SharedState
    /// The camera that delivers frames, whose controls are followed.
    let camera: Latest<Reading.Camera?>
    /// The configured values: changes are applied here; the capture thread applies them all when it opens the camera.
    var wanted: Follower<Settings, [String: ConfigValue]>
    /// The controls of the camera in use that could not be set.
    private var refused = RefusedControls()
    /// The lock of the camera that was last in use, which still holds if that camera returns with the same values.
    private var lastLock: (cameraID: String, result: MeasuringLock.Result)?

    init(_ shared: SharedState, camera: Latest<Reading.Camera?>) {
        self.shared = shared
        self.camera = camera
        wanted = Follower(shared.config) { $0.effective.camera.controls }
    }

    /// Runs until the queue is stopped.
    mutating func run() {
        while !shared.controlRequests.isStopped {
            if let camera = camera.value, camera.device == nil {
                followScene(camera)
                continue
            }
            guard let camera = camera.value, let path = camera.device else {
                publish(ControlState())
                refuseAll()
                wait(Self.maxWait)
                continue
            }
            do throws(V4L2Error) {
                let device = try shared.open(path)
                try follow(device, of: camera)
            } catch {
                // The camera is gone, or about to be. The capture thread reports that.
                publish(ControlState())
                refuseAll()
                if self.camera.value == camera { wait(Self.retryTime) }
            }
        }
        refuseAll()
    }

    private func refuseAll() {
        while let request = shared.controlRequests.take() {
            request.reply(.failure(shared.controlRequests.isStopped ? .unavailable : .noCamera))
        }
    }

    /// Keeps the published state up to date until another camera is in use.
    /// - Throws: `V4L2Error` when the camera is gone.
    private mutating func follow(_ device: borrowing Device, of camera: Reading.Camera) throws(V4L2Error) {
        _ = wanted.takeChange()
        refused = RefusedControls()
        // The capture thread set them when it opened the camera, but they may have been edited since.
        let refusals = try device.apply(device.controls().missing(wanted.current))
        var current = ControlState(camera: camera, controls: device.controls())
        _ = refused.record(refusals, of: wanted.current.keys, from: .configuration, among: current.controls)
        if let lastLock, lastLock.cameraID == camera.id, lastLock.result.locked.hold(among: current.controls) {
            current.lock = .locked(lastLock.result)
        }
        device.subscribe(to: current.controls)
        publish(current)
        // The readings show whether the automatic controls have settled.
        var demandToken: InterestToken?
        while !shared.controlRequests.isStopped, let inUse = self.camera.value, inUse.device == camera.device {
            if inUse != current.camera {
                // The same device now has another id.
                current.camera = inUse
                publish(current)
            }
            try followConfig(device, &current)
            while let request = shared.controlRequests.take() {
                do throws(V4L2Error) {
                    let result = try carryOut(request.command, device, &current)
                    // The state comes first: the client may fetch the list as soon as it is answered.
                    publish(current)
                    request.reply(result)
                } catch {
                    request.reply(.failure(.noCamera))
                    throw error
                }
            }
            try lockIfSettled(device, &current)
            try followExposure(device, &current)
            let needsReadings = current.isSettling || current.isSettingExposure
            demandToken = needsReadings ? demandToken ?? shared.demand.watch() : nil
            let wait = needsReadings ? Self.settlingPeriod : Self.maxWait
            let events = try device.waitForEvents(
                before: shared.clocks.now() + wait, orUntil: shared.controlRequests.waker)
            guard !events.isEmpty else { continue }
            current.refresh(events, from: device)
            publish(current)
            // Meanwhile the driver keeps the newest event of each control.
            let isUrgent =
                shared.demand.isWatching || shared.calibrations.calibrations.value[camera.id] != nil
                || shared.absorbance.latest.value?.blank != nil
            self.wait(isUrgent ? Self.eventInterval : Self.unwatchedEventInterval)
        }
        // The program stops, or another camera is in use.
        try endExposure(.cancelled, device, &current)
    }

    private mutating func followConfig(
        _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) {
        let before = wanted.current
        guard let after = wanted.takeChange() else { return }
        if after != before { try endExposure(.cancelled, device, &current) }
        let refusals = try device.apply(after.filter { before[$0.key] != $0.value })
        let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        current.controls = device.controls()
        record(refusals, of: names, from: .configuration, current)
        publish(current)
    }

    /// Carries out a client's command.
    /// - Returns: The state afterwards, or the reason why the command was refused.
    /// - Throws: `V4L2Error` when the camera is gone.
    private mutating func carryOut(
        _ command: ControlCommand, _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) -> Result<ControlState, ControlRequests.Refusal> {
        switch command {
        case .set(let name, let written):
            if current.controls.exposureControls.contains(where: { $0.name == name }) {
                try endExposure(.cancelled, device, &current)
            }
            if let refusal = try device.set(name, to: written, among: current.controls) { return .failure(refusal) }
            refused.forget([name])
        case .reset:
            try endExposure(.cancelled, device, &current)
            let defaults: [(control: Control, value: Control.Value)] = current.controls.compactMap { control in
                guard let value = control.defaultValue, value != control.value, !control.isReadOnly else { return nil }
                return (control, value)
            }
            try set(defaults, from: .reset, device, &current)
            current.lock = nil
        case .lock:
            guard !current.isSettingExposure else {
                return .failure(.refused("The exposure is being set. Lock when that has ended."))
            }
            // A second lock would forget the automatic controls that the first one has to restore.
            if current.lock == nil { current.lock = .settling(Settling(at: shared.clocks.now())) }
        case .unlock:
            try endExposure(.cancelled, device, &current)
            if case .locked(let result) = current.lock {
                try set(result.before.map { (control: $0.control, value: $0.value) }, from: .unlock, device, &current)
            }
            current.lock = nil
        case .setExposure:
            if let refusal = try startExposure(device, &current) { return .failure(.refused(refusal)) }
        case .cancelExposure: try endExposure(.cancelled, device, &current)
        }
        current.controls = device.controls()
        return .success(current)
    }

    /// Sets several controls, and notes those that the camera refuses.
    private mutating func set(
        _ values: [(control: Control, value: Control.Value)], from origin: RefusedControls.Origin,
        _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) {
        let refusals = try device.apply(values)
        current.controls = device.controls()
        record(refusals, of: values.map(\.control.name), from: origin, current)
    }

    private mutating func record(
        _ refusals: [ControlRefusal], of names: some Sequence<String>, from origin: RefusedControls.Origin,
        _ current: ControlState
    ) {
        guard let sentence = refused.record(refusals, of: names, from: origin, among: current.controls) else { return }
        shared.log.warning("\(sentence)")
    }

    /// Locks the automatic controls if they have settled or the time for that is over.
    private mutating func lockIfSettled(_ device: borrowing Device, _ current: inout ControlState) throws(V4L2Error) {
        guard case .settling(var settling) = current.lock else { return }
        let before = device.controls()
        settling.observe(before, mean: shared.readings.value.mean, at: shared.clocks.now())
        if settling.isOver {
            let plan = MeasuringLock.plan(before)
            let refused = try device.apply(plan)
            let after = device.controls()
            current.controls = after
            record(refused, of: plan.map(\.control.name), from: .lock, current)
            let (automatic, left) = (before.activeAutoControls, after.activeAutoControls)
            // If no automatic control could be turned off, the camera is not locked.
            let isLocked = automatic.isEmpty || !Set(automatic.map(\.control.id)).isSubset(of: left.map(\.control.id))
            current.lock =
                isLocked
                ? .locked(
                    MeasuringLock.result(
                        isSettled: settling.isSettled, before: before, after: after, refused: refused)) : nil
            if left.isEmpty { shared.log.info("The camera's automatic controls are locked.") }
        } else {
            current.controls = before
            current.lock = .settling(settling)
        }
        publish(current)
    }

    /// Waits for a request, another camera, a change of the configuration or a watcher, but no longer than this many
    /// seconds.
    func wait(_ seconds: Double) {
        _ = shared.clocks.wait(shared.controlRequests.waker, shared.clocks.now() + seconds)
    }

    mutating func publish(_ current: ControlState) {
        if let camera = current.camera, camera.device != nil {
            lastLock = current.lockResult.map { (cameraID: camera.id, result: $0) }
        } else {
            refused = RefusedControls()
        }
        refused.update(current.controls)
        shared.notices.post(refused.sentence, about: .controls)
        let before = shared.controls.value
        guard current != before else { return }
        shared.controls.publish(current)
        shared.revisions.update { $0.controls += 1 }
        let isSet = current.controls.firstChangedLabel(since: before.controls) != nil
        shared.influence.update { influence in
            influence.activeAutoControls = current.controls.activeAutoControls.map(\.control.label)
            influence.camera = current.camera?.id
            influence.controls = current.controls.filter { !$0.isReadOnly }.valuesByName
            influence.adjustable = current.controls.adjustable
            if isSet || current.isLocked != before.isLocked { influence.changeCount += 1 }
        }
        shared.notices.post(current.controls.automaticWarning, about: .automatic)
    }
}

extension ControlState {
    /// Re-reads the controls that the events name.
    fileprivate mutating func refresh(_ events: [DeviceEvent], from device: borrowing Device) {
        if events.contains(.unannounced) { controls = device.controls() }
        for case .control(let id) in events {
            guard let index = controls.firstIndex(where: { $0.id == id }), var fresh = device.control(id) else {
                continue
            }
            // The name in the list may differ from the driver's, because another control has the same name.
            fresh.name = controls[index].name
            controls[index] = fresh
        }
    }

    var isSettling: Bool {
        if case .settling = lock { true } else { false }
    }

    /// The outcome of the lock; nil if the controls are not locked.
    fileprivate var lockResult: MeasuringLock.Result? {
        if case .locked(let result) = lock { result } else { nil }
    }
}

extension [Control] {
    fileprivate var adjustable: Set<ControlInfluence.Quantity> {
        var quantities: Set<ControlInfluence.Quantity> = []
        if exposureControl != nil { quantities.insert(.exposure) }
        if gainControl != nil { quantities.insert(.gain) }
        if saturationControl != nil { quantities.insert(.saturation) }
        if contains(where: SceneControls.isLampDrifting) { quantities.insert(.lampDrift) }
        return quantities
    }
}
