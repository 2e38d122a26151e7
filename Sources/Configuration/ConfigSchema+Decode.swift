extension ConfigSchema {
    /// Reads a document whole.
    ///
    /// - Parameters:
    ///   - document: syntactically good TOML.
    ///   - file: what messages call the file.
    ///   - folder: where relative paths begin.
    /// - Throws: every problem there is.
    static func decode(_ document: TOMLDocument, file: String, folder: String) throws(ConfigError) -> Config {
        var decoding = Decoding(positions: document.positions, file: file, folder: folder)
        decoding.table(document.root, at: [])
        decoding.checkExposure()
        guard decoding.reports.isEmpty else { throw ConfigError(problems(decoding.reports, file: file)) }
        return decoding.config
    }

    /// A file that is not a configuration at all shall not fill the screen.
    private static let problemLimit = 100

    /// Something that is wrong. Its sentence may look for what was meant among all keys: it is made for those that are
    /// told, not for each line of a megabyte.
    private struct Report {
        var position: TextPosition?
        var key: String
        var message: () -> String
    }

    private static func problems(_ reports: [Report], file: String) -> [ConfigProblem] {
        let end = TextPosition(line: .max, column: .max)
        let first = reports.sorted { ($0.position ?? end, $0.key) < ($1.position ?? end, $1.key) }.prefix(problemLimit)
        let told = first.map {
            ConfigProblem(file: file, position: $0.position, key: $0.key, message: $0.message())
        }
        let more = reports.count - told.count
        return more > 0 ? told + [ConfigProblem(file: file, message: "and \(more) more like these")] : told
    }

    private struct Decoding {
        let positions: TOMLPositions
        let file: String
        let folder: String
        var config = Config()
        var reports: [Report] = []

        mutating func table(_ values: [String: ConfigValue], at path: [String]) {
            for (name, value) in values {
                let path = path + [name]
                if let key = ConfigSchema.key(at: path) {
                    apply(value, to: key)
                } else if ConfigSchema.tables.contains(where: { $0.starts(with: path) }) {
                    if case .table(let inner) = value {
                        table(inner, at: path)
                    } else {
                        report(path, positions.value(at: path), "\(value.sentence); a table is wanted: [\(name)]")
                    }
                } else {
                    report(path, positions.key(at: path), ConfigSchema.unknown(path, isTable: value.isTable))
                }
            }
        }

        private mutating func apply(_ value: ConfigValue, to key: ConfigKey) {
            do {
                try key.apply(value, folder: folder, to: &config)
            } catch {
                let place = positions.value(at: key.path)
                switch error {
                case .wrongType: report(key.path, place, "\(value.sentence); \(key.wanted) is wanted")
                case .refused(let message): report(key.path, place, message)
                case .entry(let name, let message):
                    let path = key.path + [name]
                    report(path, positions.value(at: path) ?? place, message)
                case .element(let index, let message):
                    report(key.path, positions.element(index, at: key.path) ?? place, message)
                }
            }
        }

        /// What only the whole says; what is wrong in itself comes first.
        mutating func checkExposure() {
            guard reports.isEmpty, let problem = config.web.accessProblem else { return }
            report(problem.key, positions.value(at: problem.key), problem.message)
        }

        private mutating func report(
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

    /// A part of a key as it may be written: bare if its letters allow that.
    fileprivate static func keyText(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isBare && !name.isEmpty && name.count <= String.quotedLimit ? name : name.quoted()
    }
}
