import Configuration
import Handoff
import Readings
import State
import V4L2

/// The controls of the painted scene, which has no device.
extension ControlLoop {
    /// Keeps the published state up to date until a camera takes the place of the painted scene.
    mutating func followScene(_ scene: Reading.Camera) {
        var settings = shared.scene.value
        settings.apply(wanted.takeChange() ?? wanted.current)
        func publish(_ settings: SceneControls) -> ControlState {
            if settings != shared.scene.value { shared.scene.publish(settings) }
            let state = ControlState(camera: scene, controls: settings.controls)
            self.publish(state)
            return state
        }
        while !shared.controlRequests.isStopped, camera.value?.id == scene.id {
            let before = wanted.current
            if let after = wanted.takeChange() { settings.apply(after.filter { before[$0.key] != $0.value }) }
            _ = publish(settings)
            while let request = shared.controlRequests.take() {
                var refusal: ControlRequests.Refusal?
                switch request.command {
                case .set(let name, let written): refusal = settings.set(name, to: written)
                case .reset: settings = SceneControls()
                // There is nothing automatic that could be locked, and no exposure.
                case .lock, .unlock, .setExposure, .cancelExposure: refusal = .noCamera
                }
                let state = publish(settings)
                if let refusal { request.reply(.failure(refusal)) } else { request.reply(.success(state)) }
            }
            wait(Self.maxWait)
        }
    }
}
