import Capture
import Configuration
import Dashboard
import Documents
import Events
import Fleet
import Glibc
import Handoff
import Logging
import Readings
import State
import Storage

/// The parts of `swatchcam serve`, connected to each other.
///
/// Each thread works on values that nobody else has, and communicates through the types of `Handoff`. All other code
/// runs in tasks, which never block.
///
/// | Thread or queue | Belongs to | What it alone does | Ends |
/// |---|---|---|---|
/// | `signals` | `Signals` | reads the pipe of the signal handler | with the process |
/// | `capture` | `CaptureThread` | opens cameras, takes frames, makes readings | when `CameraRequests` stops |
/// | `controls` | `ControlThread` | reads and sets controls | when `ControlRequests` stops |
/// | `pictures` | `PictureThread` | encodes pictures | when `PictureTap` closes |
/// | `history`, for each write | `HistoryWriter` | writes and deletes tables | when the rows are on the disk |
/// | `history reader` | `HistoryWriter` | reads earlier tables, once | when they are read, after 300 s, or at a stop |
/// | one for each write of a state file | `StoredFile` | writes the newest value | when it is on the disk |
/// | `broker`, for each connection | `BrokerConnection` | sends and receives | within 0.3 s at a stop |
/// | `event pictures`, for each picture | `EventRecorder` | writes and deletes pictures | when it is on the disk |
/// | `event picture`, for each request | `PictureRoutes` | reads a picture | when it is read |
/// | `webhook`, for each request | `Webhook` | sends an event | with the response, after 20 s, or at a stop |
/// | `palette`, for each edit | `PaletteLoader` | reads the palette | when it is read |
/// | queue `cameras` | `CameraDirectory` | lists the cameras, which opens each device | with its owner |
/// | queue `inotify`, for each watch | `DirectoryWatch` | reads events until a burst ends | with its owner |
/// | queue `documents` | `DocumentCache` | makes and compresses documents | with its owner |
/// | queues `templates` and `resources` | `Pages` | read the two folders again | with their owner |
///
/// A thread `broker` that the resolver may block at a stop is abandoned, and ends by itself.
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
                config: settings, notices: notices, folder: StateFolder(), canRest: true, log: log,
                record: rows.add(_:of:))
        }
        // A service manager that asks for notifications starts the program again.
        if SystemdNotifier() != nil { state.restart = { kill(getpid(), SIGTERM) } }
        let shared = state
        readings = shared.readings
        let homeAssistant = HomeAssistant(shared, version: App.version)
        let broker = Broker(shared) { homeAssistant.messages($0) }
        server = WebServer(shared: shared, pages: pages, broker: broker)
        let recorder = EventRecorder(shared)
        let webhook = Webhook(shared, version: App.version)
        let tap = PictureTap(hub: shared.pictures)
        let pictures = PictureThread(config: settings, tap: tap, log: log)
        let folder = HistoryWriter(
            shared.config, history: shared.history, requests: shared.markRequests, rows: rows, demand: shared.demand,
            notices: shared.notices, clocks: shared.clocks, log: log
        ) {
            ReadingCSV.comments(
                version: App.version, reading: shared.readings.value,
                controls: shared.controls.value.controls.valuesByName)
        }
        let palettes = PaletteLoader(
            shared.config, shared.clientPalette, notices: shared.notices, log: log)
        parts = [
            { await CaptureThread.run(shared, tap: tap) }, { await ControlThread.run(shared) },
            { await pictures.run() }, { await watcher.run(signals.reloads) }, { await shared.settingsMemory.run() },
            { await ChangeMarker(shared).run() }, { await shared.recorder.run() },
            { await palettes.run() },
            { await shared.reference.run() }, { await shared.absorbance.run() },
            { await shared.scaleTimers.run() }, { await ScaleReader(shared).run() },
            { await folder.run() }, { await broker.run() }, { await recorder.run() },
            { await webhook.run() },
        ]
    }
}
