import Capture
import Configuration
import Dashboard
import Handoff
import Logging
import Readings

/// The parts of `swatchcam serve`, connected to each other.
struct Program {
    let readings = Latest(Reading.none)
    let server: WebServer
    /// The parts besides the server. Each runs until its task is cancelled.
    let parts: [@Sendable () async -> Void]

    /// Connects the parts; none of them starts yet.
    /// - Parameters:
    ///   - config: The configuration in effect, which edits and clients change.
    ///   - file: The configuration file in use, if any.
    /// - Throws: `Failure` if no file descriptor is left.
    init(
        pages: Pages, config: Latest<Config>, file: Latest<String?>, reloader: ConfigReloader, notices: Notices,
        signals: Signals, log: Logger
    ) throws(Failure) {
        let revisions = Latest(Revisions())
        let influence = Latest(ControlInfluence())
        let stateFolder = StateFolder()
        let stateFile = StateFile(stateFolder)
        let settings = SettingsMemory(
            config: config, configured: reloader.configured, stateFile: stateFile, revisions: revisions, log: log)
        let directory = CameraDirectory(revisions: revisions, log: log)
        let cameraRequests = try Failure.requiring(CameraRequests.init)
        let rest = Rest(cameraRequests.waker)
        let demand = Demand(rest: rest)
        let tap = PictureTap(hub: PictureHub(rest: rest), slot: FrameSlot())
        let rows = PendingRows()
        let history = History(revisions: revisions, record: rows.note)
        let markRequests = MarkRequests()
        let controls = Latest(ControlState.none)
        let controlRequests = try Failure.requiring(ControlRequests.init)
        server = WebServer(
            sources: WebSources(
                config: config, configFile: file, readings: readings, demand: demand, directory: directory,
                cameraRequests: cameraRequests, controls: controls, controlRequests: controlRequests, pictures: tap.hub,
                settings: settings, samples: SampleStore(folder: stateFolder, revisions: revisions, log: log),
                history: history, markRequests: markRequests),
            pages: pages, log: log)
        let capture = CaptureContext(
            config: config, readings: readings, directory: directory, requests: cameraRequests, stateFile: stateFile,
            notices: notices, revisions: revisions, influence: influence, demand: demand, tap: tap,
            history: history, log: log)
        let control = ControlContext(
            config: config, readings: readings, demand: demand, state: controls, notices: notices,
            revisions: revisions, influence: influence, requests: controlRequests, log: log)
        let pictures = PictureThread(config: config, tap: tap, log: log)
        let marker = ChangeMarker(
            config: config, configured: reloader.configured, notices: notices, controls: controls, history: history)
        let folder = HistoryFolder(
            config: config, rows: rows, history: history, markRequests: markRequests, readings: readings,
            controls: controls, demand: demand, notices: notices, version: App.version, log: log)
        let watcher = ConfigWatcher(reloader: reloader, notices: notices, log: log)
        parts = [
            { await CaptureThread.run(capture) }, { await ControlThread.run(control) }, { await pictures.run() },
            { await watcher.run(signals.reloads) }, { await settings.run() }, { await marker.run() },
            { await folder.run() },
        ]
    }
}
