import Capture
import Configuration
import Dashboard
import Fleet
import Glibc
import Handoff
import Logging
import Readings

/// The parts of `swatchcam serve`, connected to each other.
struct Program {
    let readings: Latest<Reading>
    let server: WebServer
    /// The parts besides the server. Each runs until its task is cancelled.
    let parts: [@Sendable () async -> Void]

    /// Connects the parts; none of them starts yet.
    /// - Parameters:
    ///   - settings: The configuration, which edits and clients change.
    /// - Throws: `Failure` if no file descriptor is left.
    init(
        pages: Pages, settings: Latest<Settings>, watcher: ConfigWatcher, notices: Notices, signals: Signals,
        log: Logger
    ) throws(Failure) {
        let rows = PendingRows()
        var state = try Failure.requiring { () throws(HandoffError) in
            try SharedState(
                config: settings, notices: notices, folder: StateFolder(), canRest: true, log: log, record: rows.add)
        }
        // The program that starts it again is the one that asked for notifications.
        if SystemdNotifier() != nil { state.restart = { kill(getpid(), SIGTERM) } }
        let shared = state
        readings = shared.readings
        let homeAssistant = HomeAssistant(shared, version: App.version)
        let broker = Broker(shared) { homeAssistant.messages($0) }
        server = WebServer(shared: shared, pages: pages, broker: broker)
        let tap = PictureTap(hub: shared.pictures)
        let pictures = PictureThread(config: settings, tap: tap, log: log)
        let folder = HistoryFolder(shared, rows: rows, version: App.version)
        parts = [
            { await CaptureThread.run(shared, tap: tap) }, { await ControlThread.run(shared) },
            { await pictures.run() }, { await watcher.run(signals.reloads) }, { await shared.settingsMemory.run() },
            { await ChangeMarker(shared).run() }, { await shared.recorder.run() },
            { await PaletteLoader(shared).run() },
            { await shared.reference.run() }, { await shared.absorbance.run() },
            { await folder.run() }, { await broker.run() },
        ]
    }
}
