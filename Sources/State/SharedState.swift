package import Configuration
package import Documents
package import Handoff
package import Logging
package import Metrology
package import Palettes
package import Readings
package import Storage
import Untrusted
package import V4L2

/// The values that the parts of the program share: the latest state, the queues of requests, and what is stored. Without
/// a folder, what is stored is forgotten at exit.
package struct SharedState: Sendable {
    package var config: Latest<Settings>
    package var log: Logger
    package var readings: Latest<Reading>
    package var demand: Demand
    /// The areas that a client wants to have measured.
    package var areaRequest = Latest(AreaRequest?.none)
    /// The controls of the camera in use.
    package var controls = Latest(ControlState.none)
    /// The settings of the painted scene.
    package var scene = Latest(SceneControls())
    package var influence = Latest(ControlInfluence())
    package var notices: Notices
    /// The parts that were judged so far.
    package var parts = Latest(PartCounts())
    /// The palette that a client has loaded, or else the one that `readings.palette` names.
    package var palette = Latest(Palette?.none)
    /// The palette of a client.
    package var clientPalette: ClientPalette
    /// The versions of the API's documents.
    package var revisions = Latest(Revisions())
    package var history: History
    /// The events of this run.
    package let events: EventFeed
    /// The pictures of events.
    package let eventPictures: EventPictures
    /// The recording of a client.
    package var recorder: Recorder
    package var pictures: PictureHub
    /// The settings that clients change.
    package var settingsMemory: SettingsMemory
    /// The samples.
    package var samples: SampleStore
    /// The calibrations of cameras.
    package var calibrations: CalibrationStore
    /// The light of the reference probe.
    package var reference: StoredValue<ReferenceLight>
    /// What absorbances are computed from.
    package var absorbance: StoredValue<AbsorbanceSetup>
    /// The scales that are to be read later.
    package var scaleTimers: StoredValue<[ScaleTimer]>
    package var directory: CameraDirectory
    package var cameraRequests: CameraRequests
    package var controlRequests: ControlRequests
    package var markRequests: MarkRequests
    /// The id of the camera that a client chose last.
    package var chosenCamera: StoredValue<String>
    /// The id that distinguishes this instance from others that use the same broker. It is stored with the first
    /// connection.
    package let instanceID: StoredValue<String>
    package var open: @Sendable (_ path: String) throws(V4L2Error) -> Device = Device.init(opening:)
    package var clocks = Clocks()
    /// The time for which the colour of a camera may settle after its first frame, in seconds.
    package var settlingTime = 3.0
    /// Ends the program so that its service manager starts it again; nil if it has none.
    package var restart: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - folder: The folder in which state is kept; nil to forget it at exit.
    ///   - canRest: Whether the capture thread may rest while nobody wants a frame.
    ///   - record: Receives what the history records.
    /// - Throws: An error if no file descriptor is left.
    package init(
        config: Latest<Settings> = Latest(Settings()), notices: Notices = Notices(), folder: StateFolder? = nil,
        canRest: Bool = false, log: Logger,
        record: @escaping @Sendable (ReadingSummary, Reading) -> Void = { _, _ in }
    ) throws(HandoffError) {
        (self.config, self.notices, self.log) = (config, notices, log)
        // Until the first reading is published, clients learn from this one when to expect the next.
        var first = Reading.none
        first.rate.wanted = config.value.effective.readings.rate
        readings = Latest(first)
        // As with a camera, the first frame is to be as configured, also for commands without a control thread.
        scene.update { $0.apply(config.value.effective.camera.controls) }
        cameraRequests = try CameraRequests()
        controlRequests = try ControlRequests()
        markRequests = try MarkRequests()
        let rest = canRest ? Rest(cameraRequests.waker) : nil
        demand = Demand(rest: rest)
        pictures = PictureHub(rest: rest)
        chosenCamera = StoredValue("camera", in: folder, log: log)
        let events = EventFeed()
        self.events = events
        eventPictures = EventPictures(in: folder)
        history = History(
            revisions: revisions, announce: { events.news.add(Event($0, $1)) }, record: record)
        recorder = Recorder(config, demand: demand, history: history, in: folder, log: log)
        settingsMemory = SettingsMemory(config, in: folder, revisions: revisions, log: log)
        clientPalette = ClientPalette(palette, folder: folder, log: log)
        samples = SampleStore(folder: folder, revisions: revisions, log: log)
        calibrations = CalibrationStore(folder: folder, log: log)
        reference = StoredValue("reference", in: folder, log: log)
        absorbance = StoredValue("absorbance", in: folder, log: log) { $0.mapTexts { $0.sanitized() } }
        scaleTimers = StoredValue("timers", in: folder, log: log, accept: ScaleTimer.accept)
        instanceID = StoredValue("instance", in: folder, log: log, accept: InstanceID.accept, orMake: InstanceID.make)
        directory = CameraDirectory(revisions: revisions, log: log)
        if let notice = folder?.notice {
            log.warning("\(notice)")
            notices.post(notice, about: .storage)
        }
    }
}
