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
    ///   - settings: The configuration, which edits and clients change.
    /// - Throws: `Failure` if no file descriptor is left.
    init(
        pages: Pages, settings: Latest<Settings>, reloader: ConfigReloader, notices: Notices, signals: Signals,
        log: Logger
    ) throws(Failure) {
        let revisions = Latest(Revisions())
        let influence = Latest(ControlInfluence())
        let stateFolder = StateFolder()
        let stateFile = StateFile(stateFolder)
        let memory = SettingsMemory(settings, stateFile: stateFile, revisions: revisions, log: log)
        let directory = CameraDirectory(revisions: revisions, log: log)
        let cameraRequests = try Failure.requiring(CameraRequests.init)
        let rest = Rest(cameraRequests.waker)
        let demand = Demand(rest: rest)
        let tap = PictureTap(hub: PictureHub(rest: rest))
        let rows = PendingRows()
        let history = History(revisions: revisions, record: rows.add)
        let markRequests = MarkRequests()
        let controls = Latest(ControlState.none)
        let controlRequests = try Failure.requiring(ControlRequests.init)
        server = WebServer(
            sources: WebSources(
                config: settings, readings: readings, demand: demand, directory: directory,
                cameraRequests: cameraRequests, controls: controls, controlRequests: controlRequests, pictures: tap.hub,
                settings: memory, samples: SampleStore(folder: stateFolder, revisions: revisions, log: log),
                history: history, markRequests: markRequests),
            pages: pages, log: log)
        let capture = CaptureContext(
            config: settings, readings: readings, directory: directory, requests: cameraRequests, stateFile: stateFile,
            notices: notices, revisions: revisions, influence: influence, demand: demand, tap: tap,
            history: history, log: log)
        let control = ControlContext(
            config: settings, readings: readings, demand: demand, state: controls, notices: notices,
            revisions: revisions, influence: influence, requests: controlRequests, log: log)
        let pictures = PictureThread(config: settings, tap: tap, log: log)
        let marker = ChangeMarker(settings: settings, controls: controls, history: history)
        let folder = HistoryFolder(
            config: settings, rows: rows, history: history, markRequests: markRequests, readings: readings,
            controls: controls, demand: demand, notices: notices, version: App.version, log: log)
        let watcher = ConfigWatcher(reloader: reloader, notices: notices, log: log)
        parts = [
            { await CaptureThread.run(capture) }, { await ControlThread.run(control) }, { await pictures.run() },
            { await watcher.run(signals.reloads) }, { await memory.run() }, { await marker.run() },
            { await folder.run() },
        ]
    }
}
