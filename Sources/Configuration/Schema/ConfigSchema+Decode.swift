import FoundationEssentials
import Pixels
import Untrusted

extension ConfigSchema {
    /// Decodes a document.
    ///
    /// - Parameters:
    ///   - document: Valid TOML.
    ///   - path: The path of the document. Relative paths in it are relative to its folder.
    /// - Throws: Every problem, up to a limit.
    static func decode(_ document: TOMLDocument, path: String) throws(ConfigError) -> Config {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var decoding = Decoding(document: document, folder: folder)
        decoding.table(document.root, at: [])
        // Keys that depend on each other are checked once each of them is valid.
        let config = decoding.config
        if decoding.reports.isEmpty,
            let problem = config.web.accessProblem ?? config.mqtt.problem ?? config.events.problem
        {
            decoding.report(problem.key, decoding.positions.value(at: problem.key), problem.message)
        }
        for (index, probe) in config.probes.enumerated() where decoding.reports.isEmpty {
            guard let problem = probe.problem(among: config.targets.map(\.name)) else { continue }
            let position = decoding.positions.value(of: "targets", inElement: index, at: ["probes"])
            decoding.report(["probes"], position, problem)
        }
        for (index, scale) in config.scales.enumerated() where decoding.reports.isEmpty {
            guard let problem = scale.problem(among: config.probes.map(\.name)) else { continue }
            decoding.report(["scales"], decoding.positions.element(index, at: ["scales"]), problem)
        }
        guard decoding.reports.isEmpty else {
            throw ConfigError(problems(decoding.reports, file: document.file))
        }
        return decoding.config
    }

    /// The maximum number of problems reported: a file of another kind could have thousands.
    static let maxProblems = 100

    /// A problem whose message is made only if it is reported, because finding a suggestion among all keys takes time.
    private struct Report {
        var position: TextPosition?
        var key: String
        var message: () -> String
    }

    private static func problems(_ reports: [Report], file: String) -> [ConfigProblem] {
        let end = TextPosition(line: .max, column: .max)
        let first = reports.sorted { ($0.position ?? end, $0.key) < ($1.position ?? end, $1.key) }.prefix(maxProblems)
        let problems = first.map {
            ConfigProblem(file: file, position: $0.position, key: $0.key, message: $0.message())
        }
        let more = reports.count - problems.count
        return more > 0 ? problems + [ConfigProblem(file: file, message: "and \(more) more")] : problems
    }

    private struct Decoding {
        let document: TOMLDocument
        let folder: String
        /// Searched for only if there is a problem.
        lazy var positions = document.positions
        var config = Config()
        var reports: [Report] = []

        mutating func table(_ values: [String: ConfigValue], at path: [String]) {
            for (name, value) in values {
                let path = path + [name]
                if let key = ConfigSchema.key(at: path) {
                    do {
                        try key.set(value, folder, &config)
                    } catch {
                        for part in error.parts { report(part, about: value, of: key) }
                    }
                } else if ConfigSchema.tables.contains(where: { $0.starts(with: path) }) {
                    if case .table(let inner) = value {
                        table(inner, at: path)
                    } else {
                        report(path, positions.value(at: path), "\(value.sentence); expected a table: [\(name)]")
                    }
                } else {
                    report(path, positions.key(at: path), ConfigSchema.unknown(path, isTable: value.isTable))
                }
            }
        }

        private mutating func report(_ rejection: ConfigRejection, about value: ConfigValue, of key: ConfigKey) {
            let message = rejection.message(for: value, of: key)
            let place = positions.value(at: key.path)
            switch rejection {
            case .wrongType, .refused, .several: report(key.path, place, message)
            case .entry(let name, _):
                let path = key.path + [name]
                report(path, positions.value(at: path) ?? place, message)
            case .element(let index, let entry, _):
                let position = entry.flatMap { positions.value(of: $0, inElement: index, at: key.path) }
                report(key.path, position ?? positions.element(index, at: key.path) ?? place, message)
            }
        }

        mutating func report(
            _ path: [String], _ position: TextPosition?, _ message: @autoclosure @escaping () -> String
        ) {
            let key = path.map(ConfigValue.keyText).joined(separator: ".")
            reports.append(Report(position: position, key: key, message: message))
        }
    }
}

extension ConfigValue {
    fileprivate var isTable: Bool {
        if case .table = self { true } else { false }
    }

    /// Returns a part of a key as TOML writes it: bare if possible, and quoted otherwise.
    fileprivate static func keyText(_ name: String) -> String {
        let isBare = !name.isEmpty && name.utf8.allSatisfy(\.isWordCharacter)
        return isBare && name.count <= String.maxQuoted ? name : name.quoted()
    }
}
