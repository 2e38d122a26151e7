import Capture
import Configuration
import Handoff
import Readings

extension SharedState {
    /// The newest reading; if nobody has watched recently, the reading of the next frame.
    var reading: Reading {
        get async {
            let config = config.value.effective
            return await demand.newest(of: readings, rate: config.readings.rate) { reading in
                !reading.state.hasColor
                    || (reading.region == config.readings.region && reading.effect == config.picture.effect)
            }
        }
    }
}
