import ArgumentParser
import Capture
import Configuration
import Dashboard
import Handoff
import Logging
import Readings

/// The command `swatchcam serve`, which runs the dashboard until it is stopped.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the dashboard until interrupted (the default).")

    /// The number of clients that may watch pictures at a time.
    private static let mostViewers = 64

    @OptionGroup var options: ConfigOptions

    @Option(help: "Listen on this address; any but loopback can be reached from the network.")
    var address: String?

    @Option(help: "Listen on this port; 0 selects a free one.")
    var port: String?

    func run() async throws {
        // This comes first: an earlier signal would end the program without a message.
        let signals = try Signals()
        let resolved = try options.resolve(address: address, port: port)
        let config = resolved.config
        let live = Latest(config)
        let log = Logger(following: live)
        log.info("\(resolved.path.map { "Configuration: \($0)." } ?? "No config.toml found: using the defaults.")")
        if let path = resolved.path, resolved.holdsSecrets, ConfigFile.isReadableByAll(path) {
            log.warning(
                "\(ConfigFile.name(of: path)) contains a token that every user of this machine can read. Run: chmod o= \(path)"
            )
        }
        let pages: Pages
        do {
            pages = try Pages(
                templates: config.web.templates, resources: config.web.resources, version: App.version, log: log)
        } catch {
            throw Failure(status: .configuration, message: error.description)
        }
        let readings = Latest(Reading.none)
        let notices = Notices()
        let revisions = Latest(Revisions())
        let file = Latest(resolved.path)
        let edits = ConfigReloader(
            resolved, candidates: options.config.map { [$0] } ?? ConfigFile.candidates(),
            overrides: options.overrides(address: address, port: port), live: live, file: file, notices: notices,
            log: log)
        let directory = CameraDirectory(revisions: revisions, log: log)
        let requests = try Failure.orValue(CameraRequests.init)
        let rest = Rest(requests.waker)
        let demand = Demand(rest: rest)
        let tap = PictureTap(hub: PictureHub(capacity: Self.mostViewers, rest: rest), slot: FrameSlot())
        let controls = Latest(ControlState.none)
        let controlRequests = try Failure.orValue(ControlRequests.init)
        let server = WebServer(
            sources: WebSources(
                config: live, configFile: file, readings: readings, demand: demand, directory: directory,
                requests: requests,
                controls: controls, controlRequests: controlRequests, pictures: tap.hub),
            pages: pages, log: log)
        let capture = CaptureContext(
            config: live, readings: readings, directory: directory, requests: requests, stateFile: StateFile(),
            notices: notices, revisions: revisions, demand: demand, tap: tap, log: log)
        let adjusting = ControlContext(
            config: live, readings: readings, demand: demand, state: controls, notices: notices,
            revisions: revisions, requests: controlRequests, log: log)
        let drawing = PictureThread(config: live, tap: tap, log: log)
        let watcher = ConfigWatcher(config: edits, notices: notices, log: log)
        try await serve(
            server, readings,
            beside: [
                { await CaptureThread.run(capture) }, { await ControlThread.run(adjusting) }, { await drawing.run() },
                { await watcher.run(signals.reloads) },
            ], until: signals)
    }

    /// Listens, runs the other parts, and stops all of them when a signal comes or the server fails.
    /// - Parameter parts: Run until they are cancelled, and only once the server listens.
    private func serve(
        _ server: WebServer, _ readings: Latest<Reading>, beside parts: [@Sendable () async -> Void],
        until signals: Signals
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await Self.run(server) }
            // The camera is not opened if the address cannot be listened on.
            guard let listening = await server.waitUntilListening() else {
                try await group.next()
                return
            }
            // An error can be ignored: a service may have no standard output.
            try? Console.write("Swatchcam \(App.version): \(listening.url)  (Ctrl-C stops it)")
            for part in parts { group.addTask { await part() } }
            group.addTask { await Self.announceCamera(readings.updates()) }
            let manager = SystemdNotifier()
            if let manager {
                let client = StatusClient(Config.Web(address: listening.host, port: listening.port))
                group.addTask { await SystemdReporter(manager: manager, readings: readings, client: client).run() }
            }
            group.addTask {
                await signals.next()
                throw CancellationError()
            }
            do {
                while try await group.next() != nil {}
            } catch is CancellationError {
                // A signal requested the stop.
                manager?.stopping()
                await server.stop()
            }
            group.cancelAll()
            // The results of the remaining parts do not matter.
            while await group.nextResult() != nil {}
        }
    }

    private static func run(_ server: WebServer) async throws(Failure) {
        do throws(WebError) {
            try await server.run()
        } catch {
            let status: ExitStatus = if case .failed = error { .internalError } else { .unavailable }
            throw Failure(status: status, message: error.description)
        }
    }

    /// Prints the camera that delivers frames on stdout whenever it changes.
    private static func announceCamera(_ updates: AsyncStream<Reading>) async {
        var last: String?
        for await reading in updates where reading.state.hasColor {
            guard let camera = reading.camera, let frame = reading.frame else { continue }
            let line =
                "\(camera.name)\(camera.device.map { " (\($0))" } ?? ""), \(frame.format) \(frame.width)x\(frame.height)"
            // An error can be ignored: the dashboard outlives a closed terminal.
            if line != last { try? Console.write("Camera: \(line)") }
            last = line
        }
    }
}
