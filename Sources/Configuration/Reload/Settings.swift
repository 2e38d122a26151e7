import FoundationEssentials
import Untrusted

/// The configuration in layers: the defaults, `config.toml`, the changes of clients, and the command line. Each layer
/// takes precedence over those before it.
package struct Settings: Equatable, Sendable {
    /// The outcome of an edit to the file.
    package struct Edit: Equatable, Sendable {
        /// The number of the edit since the start.
        var number: Int
        /// A summary such as `Applied camera.fps, readings.rate.`; nil if no change takes effect or is overridden.
        package var summary: String?
    }

    /// The config of the file, with the defaults of the keys that it omits.
    package private(set) var file: Config
    /// The changes of clients to keys of the file; nil if there are none.
    package private(set) var clientChanges: ClientChanges?
    var options = ConfigOverrides()
    /// The config that results from the layers. Keys that need a restart keep the values of the start.
    package internal(set) var effective: Config
    /// The last edit since the start, if any.
    package private(set) var lastEdit: Edit?
    /// The path of the file; nil if there is none, so that the defaults apply.
    package private(set) var path: String?
    /// The text of the file.
    private(set) var text: String?
    /// A message such as `web.port: restart Swatchcam to use 9000; it still uses 8080.`; nil if no edit waits for a
    /// restart.
    private(set) var restartMessage: String?

    /// Starts with a config that no other layer changes.
    package init(_ file: Config = Config()) {
        self.file = file
        effective = file
    }

    /// Finds and loads the file, then applies the command line.
    ///
    /// A file that exists but cannot be used is not skipped, so that it is reported.
    /// - Parameters:
    ///   - explicit: The file that the command line names; nil if it names none.
    ///   - candidates: The paths where it may be otherwise, in order. The first that exists is used.
    /// - Throws: Every problem of both, those of the command line last.
    package init(
        explicit: String?, options: ConfigOverrides, candidates: [String] = ConfigFile.candidates()
    ) throws(ConfigError) {
        path = explicit ?? candidates.first(where: ConfigFile.exists)
        self.options = options
        file = Config()
        effective = file
        var problems: [ConfigProblem] = []
        do throws(ConfigError) {
            if let path {
                guard let text = try ConfigFile.text(at: path, isStart: true) else {
                    throw ConfigError(
                        ConfigProblem(file: ConfigFile.name(of: path), message: "there is no such file"))
                }
                file = try ConfigFile.config(in: text, path: path)
                self.text = text
            }
        } catch {
            problems += error.problems
        }
        do {
            effective = try options.apply(to: file)
        } catch {
            problems += error.problems
        }
        guard problems.isEmpty else { throw ConfigError(problems) }
    }

    /// Replaces the layer of the file. A key that was edited loses the change that a client has made to it.
    mutating func edit(to new: Config, path: String, text: String) {
        var applied: [String] = []
        var overridden: [String] = []
        var waiting: [String] = []
        for key in ConfigSchema.keys {
            let isEdited = key.differs(file, new)
            if let option = options.option(over: key) {
                if isEdited { overridden.append("\(key.name) keeps the value of \(option).") }
            } else if key.waitsForRestart(effective, new) {
                if key.differs(effective, new) { waiting.append(key.restartSentence(running: effective, edited: new)) }
            } else if isEdited {
                clientChanges = clientChanges?.without(key)
                key.copy(new, &effective)
                applied.append(key.name)
            }
        }
        (file, self.path, self.text) = (new, path, text)
        let sentences = (applied.isEmpty ? [] : ["Applied \(applied.joined(separator: ", "))."]) + overridden
        let summary = sentences.isEmpty ? nil : sentences.joined(separator: " ")
        lastEdit = Edit(number: (lastEdit?.number ?? 0) + 1, summary: summary)
        restartMessage = waiting.isEmpty ? nil : waiting.joined(separator: " ")
    }

    /// Changes the layer of the clients. Keys that clients may not change keep their values.
    /// - Parameter time: The time of the change, in ISO 8601.
    package mutating func change(at time: String, _ change: (inout Config) -> Void) {
        var wanted = effective
        change(&wanted)
        for key in ClientChanges.keys { key.copy(wanted, &effective) }
        let changes = ClientChanges(from: file, to: effective, since: time)
        if changes?.values != clientChanges?.values { clientChanges = changes }
    }

    /// Removes the layer of the clients.
    package mutating func forgetChanges() {
        for key in ClientChanges.keys { key.copy(file, &effective) }
        clientChanges = nil
    }

    /// Applies the changes that clients made in an earlier run, except for those whose keys were edited in the file
    /// since then, and those that are not valid.
    /// - Parameter time: The time of the last change, in ISO 8601.
    package mutating func recall(_ changes: ClientChanges, since time: String) {
        changes.apply(over: file, to: &effective)
        clientChanges = ClientChanges(from: file, to: effective, since: time)
    }

    package var hasSecrets: Bool { ConfigSchema.keys.contains { $0.isSecret && $0.value(file) != nil } }

    /// The problem of a folder that this user may not write to, which does not keep the program from starting: it
    /// writes as soon as it can. Nil if there is none.
    package var folderProblem: ConfigError? {
        guard let folder = effective.history.folder, !FileManager.default.isWritableFile(atPath: folder) else {
            return nil
        }
        return error(
            at: ["history", "folder"], "this user may not write to the folder \(folder.quoted()); check its permissions"
        )
    }

    /// The problem of a file that connections to the broker or the webhook need, which does not keep the program from
    /// starting: each connection reads it again. Nil if there is none.
    package var connectionFileProblem: ConfigError? {
        let (mqtt, events) = (effective.mqtt, effective.events)
        let files = [
            (["mqtt", "ca_file"], mqtt.caFile), (["mqtt", "certificate_file"], mqtt.certificateFile),
            (["mqtt", "key_file"], mqtt.keyFile), (["mqtt", "password_file"], mqtt.passwordFile),
            (["events", "webhook_token_file"], events.webhookTokenFile),
        ]
        for case (let key, let path?) in files {
            if let problem = ConfigCodec<String?>.fileProblem(path) { return error(at: key, problem) }
        }
        return nil
    }

    /// Returns an error about the value of a key in the file; nil if there is no file.
    package func error(at key: [String], _ message: String) -> ConfigError? {
        guard let path, let text else { return nil }
        let file = ConfigFile.name(of: path)
        let positions = try? TOMLDocument(parsing: text, file: file).positions
        return ConfigError(
            ConfigProblem(
                file: file, position: positions?.value(at: key), key: key.joined(separator: "."), message: message))
    }
}

extension ConfigKey {
    /// Returns the sentence for a change that waits for a restart.
    fileprivate func restartSentence(running: Config, edited: Config) -> String {
        if isSecret { return "\(name): restart Swatchcam to use the new value." }
        let (new, old) = (value(edited)?.text, value(running)?.text)
        return "\(name): restart Swatchcam to use \(new ?? "the built-in files"); "
            + "it still uses \(old ?? "the built-in files")."
    }
}
