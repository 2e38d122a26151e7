import FoundationEssentials
package import Handoff
package import Logging
import Synchronization

/// Applies edits to the configuration file to the running program, completely or not at all.
///
/// The file is compared with its previous version, not with the settings in effect. A setting that was changed on the
/// page therefore stays until that very key is edited.
package final class ConfigReloader: Sendable {
    private struct State {
        /// The file in use, the last valid one.
        var path: String?
        /// The path and the text that were read last, if any.
        var lastRead: (path: String, text: String)?
        /// The parsed text. The parser never frees its memory, so each text is parsed only once.
        var document: TOMLDocument?
        /// The config of the last valid text.
        var fileConfig: Config
        /// The error of the last text, if it was refused.
        var lastError: ConfigError?
        /// Whether the file in use was missing when it was last read.
        var isGone = false
        /// The last message about changes that wait for a restart.
        var restartMessage: String?
    }

    /// The config in effect.
    let live: Latest<Config>
    /// The config of the file, without the changes that clients have made.
    package let configured: Latest<Config>
    private let started: Config
    private let candidates: [String]
    private let overrides: ConfigOverrides
    private let notices: Notices
    private let log: Logger
    private let state: Mutex<State>
    /// The path of the file in use.
    private let publishedPath: Latest<String?>

    /// - Parameters:
    ///   - start: The config and the file at the start of the program.
    ///   - candidates: The paths where the file may be, in order.
    ///   - overrides: The command-line options, which take precedence over the file.
    ///   - live: The config in effect.
    ///   - publishedPath: Receives the path of the file in use each time that another file is used. It starts with
    ///     `start.path`.
    package init(
        _ start: ResolvedConfig, candidates: [String], overrides: ConfigOverrides, live: Latest<Config>,
        publishedPath: Latest<String?> = Latest(nil), notices: Notices, log: Logger
    ) {
        self.live = live
        self.candidates = candidates
        self.overrides = overrides
        self.notices = notices
        self.log = log
        self.publishedPath = publishedPath
        configured = Latest(start.fileConfig)
        started = start.config
        var lastRead: (String, String)?
        if let path = start.path, let text = start.text { lastRead = (path, text) }
        state = Mutex(State(path: start.path, lastRead: lastRead, fileConfig: start.fileConfig))
    }

    /// The paths to watch: that of the file in use, and those that take precedence over it.
    var paths: [String] {
        guard let path = state.withLock({ $0.path }), let index = candidates.firstIndex(of: path) else {
            return candidates
        }
        return Array(candidates[...index])
    }

    /// Reads the file and applies its changes.
    /// - Returns: The notice to withdraw after some time; nil if there is none, or if it stays valid.
    @discardableResult
    func reload() -> String? {
        let paths = paths
        return state.withLock { state in
            guard let path = paths.first(where: ConfigFile.exists) ?? state.path else { return nil }
            do throws(ConfigError) {
                guard let text = try ConfigFile.text(ifExistsAt: path) else {
                    guard path == state.path else {
                        let name = ConfigFile.name(of: path)
                        throw ConfigError(ConfigProblem(file: name, message: "this link does not lead to a file"))
                    }
                    reportMissing(path, &state)
                    return nil
                }
                guard let config = try config(in: text, at: path, &state) else { return nil }
                return apply(config, from: path, &state)
            } catch {
                refuse(error, path, &state)
                return nil
            }
        }
    }

    /// Returns the config of a text; nil if the text is unchanged and was valid.
    private func config(in text: String, at path: String, _ state: inout State) throws(ConfigError) -> Config? {
        let isSame = state.lastRead.map { $0 == (path, text) } ?? false
        if state.isGone {
            state.isGone = false
            log.info("\(ConfigFile.name(of: path)) is back.")
            if isSame { notices.post(nil, about: .configuration) }
        }
        if isSame {
            guard let lastError = state.lastError else { return nil }
            // Valid TOML is checked again, because a folder that it names may exist by now.
            guard let document = state.document else { throw lastError }
            return try ConfigFile.config(in: document, path: path)
        }
        state.lastRead = (path, text)
        state.document = nil
        let document = try TOMLDocument(parsing: text, file: ConfigFile.name(of: path))
        state.document = document
        return try ConfigFile.config(in: document, path: path)
    }

    // MARK: Outcomes

    private func apply(_ config: Config, from path: String, _ state: inout State) -> String? {
        let diff = ConfigDiff(
            from: state.fileConfig, to: config, started: started, running: live.value, overrides: overrides)
        state.fileConfig = config
        (state.lastError, state.document) = (nil, nil)
        if path != state.path {
            state.path = path
            publishedPath.publish(path)
            log.info("Configuration: \(path).")
        }
        let message = diff.summary
        let restartMessage = diff.restartMessage(for: config, started: started)
        // The notices are posted first, because a change of the rate immediately causes a reading, which should contain
        // them.
        notices.post(message, about: .configuration)
        notices.post(restartMessage, about: .restart)
        if diff.applied.isEmpty {
            configured.publish(config)
        } else {
            live.update { live in
                for key in diff.applied { key.copy(from: config, to: &live) }
                // Both change in one step; see `Latest.read(with:)`.
                configured.publish(config)
            }
        }
        if let message { log.info("\(ConfigFile.name(of: path)): \(message)") }
        if let restartMessage, restartMessage != state.restartMessage { log.warning("\(restartMessage)") }
        state.restartMessage = restartMessage
        return message
    }

    private func refuse(_ error: ConfigError, _ path: String, _ state: inout State) {
        let isNews = state.lastError != error
        state.lastError = error
        state.isGone = false
        let lines = error.lines(upTo: ConfigDiff.maxLines)
        notices.post(
            "Nothing was changed; \(ConfigFile.name(of: path)) has \(error.count):\n" + lines.joined(separator: "\n"),
            about: .configuration)
        guard isNews else { return }
        log.warning("\(ConfigFile.name(of: path)) has \(error.count); nothing was changed:")
        for line in lines { log.warning("\(line)") }
    }

    private func reportMissing(_ path: String, _ state: inout State) {
        // The mistakes of a file that is gone no longer matter.
        if state.lastError != nil { (state.lastError, state.lastRead, state.document) = (nil, nil, nil) }
        let message = "\(ConfigFile.name(of: path)) is gone. Its last settings stay in effect."
        if !state.isGone { log.warning("\(message)") }
        state.isGone = true
        notices.post(message, about: .configuration)
    }
}
