import ArgumentParser
import Configuration
import Dashboard
import Documents
import Handoff
import Logging
import Readings

/// The command `swatchcam serve`, which runs the dashboard until it is stopped.
///
/// The path of a stop, from a signal to the end of the process:
///
/// 1. The handler of `Signals` writes the number of the signal into a pipe, and its thread reads it. If the process
///    still runs after 5 s, or at a second signal, the thread ends it by the default action of the signal.
/// 2. The server ends streams, closes WebSockets with status 1001, waits for them 0.4 s at most, and closes all
///    sockets.
/// 3. The task of every part is cancelled. Where a part has a thread, `BlockingThread.run(onCancel:)` makes its loop
///    end: the queues of requests refuse what waits. The connection to the broker has 0.3 s to say that it leaves. The
///    capture thread releases the camera.
/// 4. The parts that keep something write it a last time: the history, the changed settings, the recording. These
///    writes have no limit but the 5 s of step 1. Samples and marks of clients were on the disk before they were
///    answered.
///
/// If a part fails, the same steps begin at step 3, and the error becomes the exit status (`App`).
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the dashboard until interrupted (the default).")

    @OptionGroup var options: ConfigOptions

    @Option(help: "Listen on this address; any but loopback can be reached from the network.")
    var address: String?

    @Option(help: "Listen on this port; 0 selects a free one.")
    var port: String?

    func run() async throws {
        // This comes first: an earlier signal would end the program without a message.
        let signals = try Signals()
        let start = try options.resolve(address: address, port: port)
        let settings = Latest(start)
        let log = Logger(following: settings)
        Self.report(start, to: log)
        let pages = try Self.pages(settings, log)
        let notices = Notices()
        let watcher = ConfigWatcher(
            settings, candidates: options.file.config.map { [$0] } ?? ConfigFile.candidates(), notices: notices,
            log: log)
        let program = try Program(
            pages: pages, settings: settings, watcher: watcher, notices: notices, signals: signals, log: log)
        try await serve(program, until: signals)
    }

    static func report(_ settings: Settings, to log: Logger) {
        log.info("\(settings.path.map { "Configuration: \($0)." } ?? "No config.toml found: using the defaults.")")
        if let path = settings.path, settings.hasSecrets, ConfigFile.isReadableByAll(path) {
            log.warning(
                "\(ConfigFile.name(of: path)) contains a token that every user of this machine can read. Run: chmod o= \(path)"
            )
        }
    }

    static func pages(_ settings: Latest<Settings>, _ log: Logger) throws(Failure) -> Pages {
        let web = settings.value.effective.web
        do {
            return try Pages(
                templates: web.templates, resources: web.resources, version: App.version,
                log: log, title: { settings.value.effective.web.title })
        } catch {
            throw Failure(status: .configuration, message: error.description)
        }
    }

    /// Starts the server, then the other parts once it listens, and stops all of them when a signal arrives or the
    /// server fails.
    private func serve(_ program: Program, until signals: Signals) async throws {
        let (server, readings) = (program.server, program.readings)
        try await withThrowingTaskGroup { group in
            group.addTask { try await Self.run(server) }
            // If the server cannot listen on the address, the camera is not opened.
            guard let listening = await server.waitUntilListening() else {
                try await group.next()
                return
            }
            // An error can be ignored: a service may have no standard output.
            _ = try? Console.standard.write("Swatchcam \(App.version): \(listening.url)  (Ctrl-C stops it)")
            for part in program.parts { group.addTask { await part() } }
            group.addTask { await Self.announceCamera(readings.changes(of: Source.init), on: .standard) }
            let manager = SystemdNotifier()
            if let manager {
                var web = Config().web
                (web.address, web.port) = (listening.host, listening.port)
                let client = InstanceClient(web)
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

    static func run(_ server: WebServer) async throws(Failure) {
        do throws(WebError) {
            try await server.run()
        } catch {
            let status: ExitStatus = if case .failed = error { .internalError } else { .unavailable }
            throw Failure(status: status, message: error.description)
        }
    }

    /// Prints to stdout which camera delivers frames, whenever that changes.
    static func announceCamera(_ sources: AsyncStream<Source?>, on console: Console) async {
        var last: Source?
        for await source in sources {
            guard let source, source != last else { continue }
            // An error can be ignored: the dashboard outlives a closed terminal.
            _ = try? console.write("Camera: \(source)")
            last = source
        }
    }

    /// What is announced about a source of readings.
    struct Source: Equatable, CustomStringConvertible {
        private let camera: Reading.Camera
        private let format: String
        private let width, height: Int

        /// - Returns: Nil if the reading has no colour.
        init?(_ reading: Reading) {
            guard reading.state.hasColor, let camera = reading.camera, let frame = reading.frame else { return nil }
            self.camera = camera
            (format, width, height) = (frame.format, frame.width, frame.height)
        }

        var description: String {
            "\(camera.name)\(camera.device.map { " (\($0))" } ?? ""), \(format) \(width)x\(height)"
        }
    }
}
