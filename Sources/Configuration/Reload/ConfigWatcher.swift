package import Documents
import FoundationEssentials
package import Handoff
import Inotify
package import Logging
import Synchronization

/// Applies edits of the configuration file to the running program, completely or not at all, whenever the file may have
/// changed, and on request.
///
/// The path of an edit, from saving the file to its effect:
///
/// 1. `DirectoryWatch` sees the change. It watches every folder on the way to the file, through every symbolic link
///    (`SymlinkChain`), because editors replace files and deployments replace links. SIGHUP starts at step 2.
/// 2. This type follows the links again and reads the file. `TOMLDocument` parses it, and `ConfigSchema` checks every
///    key. If there are mistakes, a notice lists them, and nothing changes.
/// 3. `Settings.edit` replaces the layer of the file, in one step of `Latest`. It compares the file with its previous
///    version, key by key: an edited key loses the change that a client has made to it. Keys that an option overrides
///    keep its value, and keys that need a restart keep theirs.
/// 4. Each listener has a `Follower`, which says whether its own part of `Settings.effective` has changed. The capture
///    thread opens the camera again if its device, format, size or rate has changed. Other threads adopt the new
///    values. The server ends every session if a token has changed.
/// 5. The summary of the edit becomes a notice for about ten seconds, and a mark of the history.
package final class ConfigWatcher: Sendable {
    private struct State {
        /// The path and the text that were read last, if any.
        var lastRead: (path: String, text: String)?
        /// The parsed text. The parser never frees its memory, so each text is parsed only once.
        var document: TOMLDocument?
        /// The error of the last text, if it was refused.
        var lastError: ConfigError?
        /// Whether the file in use was missing when it was last read.
        var isGone = false
    }

    /// The maximum number of attempts to follow the links while they change. A further change causes another reload.
    private static let maxAttempts = 4
    /// The maximum number of mistakes that the log and the page list.
    private static let maxLines = 3

    let settings: Latest<Settings>
    private let candidates: [String]
    private let notices: Notices
    /// The time for which a notice of an edit is shown, in seconds. It is longer if readings, which carry it, are rare.
    private let noticeTime: Double
    private let log: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - settings: The settings, whose file is the one in use.
    ///   - candidates: The paths where the file may be, in order.
    package init(
        _ settings: Latest<Settings>, candidates: [String], notices: Notices, noticeTime: Double = 10, log: Logger
    ) {
        self.settings = settings
        self.candidates = candidates
        self.notices = notices
        self.noticeTime = noticeTime
        self.log = log
        let start = settings.value
        var lastRead: (String, String)?
        if let path = start.path, let text = start.text { lastRead = (path, text) }
        state = Mutex(State(lastRead: lastRead))
    }

    /// The paths to watch: that of the file in use, and those that take precedence over it.
    private var paths: ArraySlice<String> {
        candidates.firstIndex(of: settings.value.path ?? "").map { candidates[...$0] } ?? candidates[...]
    }

    /// Watches the file until the task is cancelled.
    /// - Parameter requests: Each one reloads the file, whether it has changed or not.
    package func run(_ requests: AsyncStream<Void>) async {
        let watch: DirectoryWatch?
        do throws(WatchError) {
            watch = try DirectoryWatch()
        } catch {
            warn(error)
            watch = nil
        }
        let (checks, check) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The file may have changed between the start of the program and the start of the watch.
        check.yield()
        await withTaskGroup { group in
            if let watch {
                group.addTask {
                    for await _ in watch.changes { check.yield() }
                }
            }
            group.addTask { [log] in
                // A process that may send one signal may send a thousand a second.
                let log = RateLimitedLogger(log)
                for await _ in requests {
                    log.log(.info, "SIGHUP: re-reading the configuration.", isEvent: true)
                    check.yield()
                }
            }
            var withdrawal: Task<Void, Never>?
            var reported: [WatchError] = []
            for await _ in checks {
                // The watch must be set up before the file is read, so that no later change is missed.
                let problems = watch.map(setUp) ?? []
                for problem in problems where !reported.contains(problem) { warn(problem) }
                reported = problems
                guard let message = reload() else { continue }
                withdrawal?.cancel()
                withdrawal = Task { await withdrawLater(message) }
            }
            withdrawal?.cancel()
        }
    }

    /// Watches the links and folders that lead to each candidate file.
    /// - Returns: The reasons why edits may not be detected.
    private func setUp(_ watch: DirectoryWatch) -> [WatchError] {
        for _ in 0..<Self.maxAttempts {
            let chains = paths.map(SymlinkChain.init)
            let steps = chains.flatMap(\.steps)
            let problems = watch.replace(with: chains.flatMap(\.folders))
            guard paths.map(SymlinkChain.init) == chains else { continue }
            return problems.sorted { $0.key < $1.key }.filter { steps[$0.key].isLast && !$0.value.isNotFound }.map(
                \.value)
        }
        return []
    }

    private func warn(_ error: WatchError) {
        log.warning("Edits to the configuration are not detected: \(error). Send SIGHUP after each edit.")
    }

    /// Withdraws a notice after it has been shown for some time.
    private func withdrawLater(_ message: String) async {
        let seconds = max(noticeTime, 2.5 / settings.value.effective.readings.rate)
        guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
        notices.withdraw(message, about: .configuration)
    }

    // MARK: Reading the file

    /// Reads the file and applies its changes.
    /// - Returns: The notice to withdraw after some time; nil if there is none, or if it stays valid.
    @discardableResult
    func reload() -> String? {
        state.withLock { state in
            let current = settings.value.path
            guard let path = paths.first(where: ConfigFile.exists) ?? current else { return nil }
            let file = ConfigFile.name(of: path)
            do throws(ConfigError) {
                guard let text = try ConfigFile.text(at: path, isStart: false) else {
                    guard path == current else {
                        throw ConfigError(ConfigProblem(file: file, message: "this link does not lead to a file"))
                    }
                    reportMissing(file, &state)
                    return nil
                }
                let isSame = state.lastRead.map { $0 == (path, text) } ?? false
                if state.isGone {
                    state.isGone = false
                    log.info("\(file) is back.")
                    if isSame { notices.post(nil, about: .configuration) }
                }
                let document: TOMLDocument
                if isSame {
                    guard let lastError = state.lastError else { return nil }
                    // Valid TOML is checked again, because a folder that it names may exist by now.
                    guard let parsed = state.document else { throw lastError }
                    document = parsed
                } else {
                    (state.lastRead, state.document) = ((path, text), nil)
                    document = try TOMLDocument(parsing: text, file: file)
                    state.document = document
                }
                return apply(try ConfigSchema.decode(document, path: path), from: path, text, &state)
            } catch {
                refuse(error, file, &state)
                return nil
            }
        }
    }

    private func apply(_ config: Config, from path: String, _ text: String, _ state: inout State) -> String? {
        (state.lastError, state.document) = (nil, nil)
        let before = settings.value
        let edited = settings.update { settings in
            settings.edit(to: config, path: path, text: text)
            // In the same step, because a change of the rate immediately causes a reading, which should contain them.
            notices.post(settings.lastEdit?.summary, about: .configuration)
            notices.post(settings.restartMessage, about: .restart)
        }
        if path != before.path { log.info("Configuration: \(path).") }
        let (summary, restartMessage) = (edited.lastEdit?.summary, edited.restartMessage)
        if let summary { log.info("\(ConfigFile.name(of: path)): \(summary)") }
        if let restartMessage, restartMessage != before.restartMessage { log.warning("\(restartMessage)") }
        return summary
    }

    private func refuse(_ error: ConfigError, _ file: String, _ state: inout State) {
        let isNews = state.lastError != error
        state.lastError = error
        state.isGone = false
        let lines = error.lines(upTo: Self.maxLines)
        notices.post(
            "Nothing was changed; \(file) has \(error.count):\n" + lines.joined(separator: "\n"),
            about: .configuration)
        guard isNews else { return }
        log.warning("\(file) has \(error.count); nothing was changed:")
        for line in lines { log.warning("\(line)") }
    }

    private func reportMissing(_ file: String, _ state: inout State) {
        // The mistakes of a file that is gone no longer matter.
        if state.lastError != nil { (state.lastError, state.lastRead, state.document) = (nil, nil, nil) }
        let message = "\(file) is gone. Its last settings stay in effect."
        if !state.isGone { log.warning("\(message)") }
        state.isGone = true
        notices.post(message, about: .configuration)
    }
}
