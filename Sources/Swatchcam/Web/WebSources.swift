import Capture
import Configuration
import Handoff
import Readings
import V4L2

/// What the web server shows of the program, and where it leaves word of what clients want.
struct WebSources: Sendable {
    /// What holds at present.
    var config = Latest(Config())
    /// The configuration file; nil: there is none.
    var configFile = Latest<String?>(nil)
    var readings: Latest<Reading>
    var audience = Audience()
    var directory: CameraDirectory
    var desk: CaptureDesk
    var controls = Latest(ControlState.none)
    var controlDesk: ControlDesk
    var pictures: PictureHub

    /// The newest reading, of the next frame if nobody has watched lately.
    var reading: Reading {
        get async {
            let config = config.value
            return await audience.newest(of: readings, rate: config.readings.rate) { reading in
                !reading.state.hasColor
                    || (reading.region == config.readings.region && reading.effect == config.picture.effect)
            }
        }
    }
}
