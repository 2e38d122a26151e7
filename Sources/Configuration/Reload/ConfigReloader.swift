import FoundationEssentials
package import Handoff
package import Logging
import Synchronization

/// Applies edits to the configuration file to the running program, completely or not at all.
package final class ConfigReloader: Sendable {
    /// The maximum number of mistakes that the log and the page list.
    private static let maxLines = 3

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

    let settings: Latest<Settings>
    private let candidates: [String]
    private let notices: Notices
    private let log: Logger
    private let state: Mutex<State>

    /// - Parameters:
    ///   - settings: The settings, whose file is the one in use.
    ///   - candidates: The paths where the file may be, in order.
    package init(_ settings: Latest<Settings>, candidates: [String], notices: Notices, log: Logger) {
        self.settings = settings
        self.candidates = candidates
        self.notices = notices
        self.log = log
        let start = settings.value
        var lastRead: (String, String)?
        if let path = start.path, let text = start.text { lastRead = (path, text) }
        state = Mutex(State(lastRead: lastRead))
    }

    /// The paths to watch: that of the file in use, and those that take precedence over it.
    var paths: [String] {
        guard let path = settings.value.path, let index = candidates.firstIndex(of: path) else {
            return candidates
        }
        return Array(candidates[...index])
    }

    /// Reads the file and applies its changes.
    /// - Returns: The notice to withdraw after some time; nil if there is none, or if it stays valid.
    @discardableResult
    func reload() -> String? {
        state.withLock { state in
            let current = settings.value.path
            guard let path = paths.first(where: ConfigFile.exists) ?? current else { return nil }
            do throws(ConfigError) {
                guard let text = try ConfigFile.text(ofRegularFile: path) else {
                    guard path == current else {
                        let name = ConfigFile.name(of: path)
                        throw ConfigError(ConfigProblem(file: name, message: "this link does not lead to a file"))
                    }
                    reportMissing(path, &state)
                    return nil
                }
                guard let config = try config(in: text, at: path, &state) else { return nil }
                return apply(config, from: path, text, &state)
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

    private func refuse(_ error: ConfigError, _ path: String, _ state: inout State) {
        let isNews = state.lastError != error
        state.lastError = error
        state.isGone = false
        let lines = error.lines(upTo: Self.maxLines)
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
