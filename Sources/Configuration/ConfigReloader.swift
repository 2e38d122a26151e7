import Foundation
package import Handoff
package import Logging
import Synchronization

/// Carries edits of the configuration file over to what runs: whole, or not at all.
///
/// The file is compared with what it said before, not with what holds: what a person changed on the page stays until an
/// edit changes that very key.
package final class ConfigReloader: Sendable {
    private struct State {
        /// The file in use: the last that was good.
        var path: String?
        /// What was looked at last; nil: nothing was there.
        var seen: (path: String, text: String)?
        /// The library that parses never gives the memory of a parsed text back, so a text is parsed once.
        var document: TOMLDocument?
        /// What the last good text said.
        var said: Config
        /// Why the last text was refused.
        var refusal: ConfigError?
        var isGone = false
        var restart: String?
    }

    let live: Latest<Config>
    private let started: Config
    private let candidates: [String]
    private let overrides: ConfigOverrides
    private let notices: Notices
    private let log: Logger
    private let state: Mutex<State>
    private let file: Latest<String?>

    /// - Parameters:
    ///   - start: What was found when the program started.
    ///   - candidates: Where the file may be, the first place first.
    ///   - overrides: What the command line says, which stands above every edit.
    ///   - live: What holds.
    ///   - file: Is told the path of the file in use.
    package init(
        _ start: ResolvedConfig, candidates: [String], overrides: ConfigOverrides, live: Latest<Config>,
        file: Latest<String?> = Latest(nil), notices: Notices, log: Logger
    ) {
        self.live = live
        self.candidates = candidates
        self.overrides = overrides
        self.notices = notices
        self.log = log
        self.file = file
        started = start.config
        var seen: (String, String)?
        if let path = start.path, let text = start.text { seen = (path, text) }
        state = Mutex(State(path: start.path, seen: seen, said: start.file))
        file.publish(start.path)
    }

    /// The paths that an edit may be at: the file in use, and those that would be found before it.
    var paths: [String] {
        guard let path = state.withLock({ $0.path }), let index = candidates.firstIndex(of: path) else {
            return candidates
        }
        return Array(candidates[...index])
    }

    /// Looks at the file, and applies what has changed in it.
    /// - Returns: What a person is told about it for a while; nil: nothing, or something that stays true.
    @discardableResult
    func reload() -> String? {
        let paths = paths
        return state.withLock { state in
            guard let path = paths.first(where: ConfigFile.isThere) ?? state.path else { return nil }
            do throws(ConfigError) {
                guard let text = try ConfigFile.text(ifThereAt: path) else {
                    guard path == state.path else {
                        let name = ConfigFile.name(of: path)
                        throw ConfigError(ConfigProblem(file: name, message: "there is no file at the end of the link"))
                    }
                    missing(path, &state)
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

    /// - Returns: What the file says now; nil: it is what it was, and was good.
    private func config(in text: String, at path: String, _ state: inout State) throws(ConfigError) -> Config? {
        let isSame = state.seen.map { $0 == (path, text) } ?? false
        if state.isGone {
            state.isGone = false
            log.info("\(ConfigFile.name(of: path)) is back.")
            if isSame { notices.post(nil, about: .configuration) }
        }
        if isSame {
            guard let refusal = state.refusal else { return nil }
            // A folder that it names may be there by now; the text will not become TOML.
            guard let document = state.document else { throw refusal }
            return try ConfigFile.config(in: document, path: path)
        }
        state.seen = (path, text)
        state.document = nil
        let document = try TOMLDocument(parsing: text, file: ConfigFile.name(of: path))
        state.document = document
        return try ConfigFile.config(in: document, path: path)
    }

    // MARK: Outcomes

    private func apply(_ config: Config, from path: String, _ state: inout State) -> String? {
        let edit = ConfigDiff(
            from: state.said, to: config, started: started, running: live.value, overrides: overrides)
        state.said = config
        (state.refusal, state.document) = (nil, nil)
        if path != state.path {
            state.path = path
            file.publish(path)
            log.info("Configuration: \(path).")
        }
        let message = edit.summary
        let restart = edit.restartMessage(for: config, started: started)
        // Before it holds: the next reading, which comes at once when its rate has changed, shall carry it.
        notices.post(message, about: .configuration)
        notices.post(restart, about: .restart)
        if !edit.applied.isEmpty {
            live.update { live in
                for key in edit.applied { key.copy(from: config, to: &live) }
            }
        }
        if let message { log.info("\(ConfigFile.name(of: path)): \(message)") }
        if let restart, restart != state.restart { log.warning("\(restart)") }
        state.restart = restart
        return message
    }

    private func refuse(_ error: ConfigError, _ path: String, _ state: inout State) {
        let isNews = state.refusal != error
        state.refusal = error
        state.isGone = false
        let lines = error.lines(upTo: ConfigDiff.mostLines)
        notices.post(
            "Nothing was changed; \(ConfigFile.name(of: path)) has \(error.count):\n" + lines.joined(separator: "\n"),
            about: .configuration)
        guard isNews else { return }
        log.warning("\(ConfigFile.name(of: path)) has \(error.count); nothing was changed:")
        for line in lines { log.warning("\(line)") }
    }

    private func missing(_ path: String, _ state: inout State) {
        // A mistake in a file that is gone is nobody's any more.
        if state.refusal != nil { (state.refusal, state.seen, state.document) = (nil, nil, nil) }
        let message = "\(ConfigFile.name(of: path)) is gone. What it said still holds, until there is one again."
        if !state.isGone { log.warning("\(message)") }
        state.isGone = true
        notices.post(message, about: .configuration)
    }
}
