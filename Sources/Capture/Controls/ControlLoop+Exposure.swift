import Handoff
import Logging
import Readings
import State
import V4L2

/// The exposure that is set once, on request.
extension ControlLoop {
    /// Turns automatic exposure and gain off, and begins to search for the exposure with the lowest gain.
    /// - Returns: The reason why the exposure cannot be set; nil if it is being set.
    mutating func startExposure(
        _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) -> String? {
        if current.isSettingExposure { return nil }
        guard !current.isSettling else { return "The controls are about to be locked. Set the exposure after that." }
        let controls = device.controls()
        guard controls.exposureControl != nil else { return "This camera has no control for its exposure." }
        let automatic = Set(controls.automaticallySet.map(\.id))
        // Values come before the automatic controls that take them over.
        let before = controls.exposureControls.reversed().filter { !automatic.contains($0.id) }
            .compactMap { control in control.value.map { ExposureState.Before(control: control, value: $0) } }
        let off = controls.activeAutoControls.filter {
            $0.automatic.quantity == .exposure || $0.automatic.quantity == .gain
        }
        var refused: String?
        for (automatic, control) in off where refused == nil {
            refused = try device.refusal(setting: control, to: .number(automatic.offValue))
        }
        if refused == nil, let gain = device.controls().gainControl {
            refused = try device.refusal(setting: gain, to: .number(gain.minimum))
        }
        let now = device.controls()
        if refused == nil, let exposure = now.exposureControl, exposure.isInactive {
            refused = "\(exposure.name) has no effect: something else controls it."
        }
        guard refused == nil, let setting = ExposureSetting(now, at: shared.clocks.now()) else {
            try restore(before, device)
            current.controls = device.controls()
            return refused ?? "This camera has no control for its exposure."
        }
        current.exposure = .setting(setting, before: before)
        return nil
    }

    /// Takes the next step towards the exposure if readings show the effect of the last one.
    mutating func followExposure(
        _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) {
        guard case .setting(var setting, let before) = current.exposure else { return }
        let step = setting.observe(shared.readings.value, at: shared.clocks.now())
        current.exposure = .setting(setting, before: before)
        switch step {
        case .wait: return
        case .end(let problem): try endExposure(problem, device, &current)
        case .set(let values):
            if let refusal = try set(values, device) {
                try endExposure(.refused(refusal), device, &current)
                break
            }
            current.controls = device.controls()
            // The camera may have set another value, which is the one that the next reading shows.
            setting.change(to: current.controls.exposureValues ?? values, at: shared.clocks.now())
            current.exposure = .setting(setting, before: before)
        }
        publish(current)
    }

    /// Ends the setting of the exposure, if it is under way, with the best values so far. If none was measured, the
    /// controls are as they were before.
    mutating func endExposure(
        _ problem: ExposureSetting.Problem?, _ device: borrowing Device, _ current: inout ControlState
    ) throws(V4L2Error) {
        guard case .setting(let setting, let before) = current.exposure else { return }
        var problem = problem
        if let best = setting.best {
            if let refusal = try set(best.values, device) { problem = .refused(refusal) }
        } else {
            try restore(before, device)
        }
        current.controls = device.controls()
        current.exposure = .ended(
            ExposureState.Result(level: setting.best?.level, problem: problem, controls: current.controls))
        if case .locked(var result) = current.lock {
            // The lock holds, with the new exposure.
            result.locked = result.locked.map { old in current.controls.first { $0.id == old.id } ?? old }
            current.lock = .locked(result)
        }
        shared.log.info("\(problem.map { "The exposure is not as wanted. \($0.sentence)" } ?? "The exposure is set.")")
        publish(current)
    }

    /// Sets exposure and gain where they differ.
    /// - Returns: The reason why the camera refused; nil if it did not.
    private func set(_ values: ExposureSetting.Values, _ device: borrowing Device) throws(V4L2Error) -> String? {
        let controls = device.controls()
        let wanted = [(controls.exposureControl, values.exposure), (controls.gainControl, values.gain)]
        for case (let control?, let value?) in wanted where control.value != .number(value) {
            if let refusal = try device.refusal(setting: control, to: .number(value)) { return refusal }
        }
        return nil
    }

    private func restore(_ before: [ExposureState.Before], _ device: borrowing Device) throws(V4L2Error) {
        for before in before { _ = try device.refusal(setting: before.control, to: before.value) }
    }
}
