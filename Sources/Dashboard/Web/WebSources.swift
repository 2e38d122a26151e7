package import Capture
package import Configuration
package import Handoff
package import Readings

/// The parts of the program that the web server shows, and the queues for requests of its clients.
package struct WebSources: Sendable {
    /// The configuration, in layers.
    var config: Latest<Settings>
    var readings: Latest<Reading>
    var demand: Demand
    var directory: CameraDirectory
    var cameraRequests: CameraRequests
    var controls: Latest<ControlState>
    var controlRequests: ControlRequests
    var pictures: PictureHub
    /// Changes the settings for clients.
    var settings: SettingsMemory
    var samples: SampleStore
    var history: History
    var markRequests: MarkRequests

    /// Collects the parts. By default there is no configuration file and every setting has its default.
    package init(
        config: Latest<Settings> = Latest(Settings()), readings: Latest<Reading>, demand: Demand = Demand(),
        directory: CameraDirectory,
        cameraRequests: CameraRequests, controls: Latest<ControlState> = Latest(.none),
        controlRequests: ControlRequests, pictures: PictureHub, settings: SettingsMemory, samples: SampleStore,
        history: History = History(), markRequests: MarkRequests = MarkRequests()
    ) {
        self.config = config
        self.readings = readings
        self.demand = demand
        self.directory = directory
        self.cameraRequests = cameraRequests
        self.controls = controls
        self.controlRequests = controlRequests
        self.pictures = pictures
        self.settings = settings
        self.samples = samples
        self.history = history
        self.markRequests = markRequests
    }

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
