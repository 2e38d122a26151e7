/// All problems of a configuration.
package struct ConfigError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems, at least one, in the order of the file. Those without a position come last.
    package let problems: [ConfigProblem]

    init(_ problems: [ConfigProblem]) {
        self.problems = problems.sorted { a, b in
            switch (a.position, b.position) {
            case (let a?, let b?) where a != b: a < b
            case (_?, nil): true
            case (nil, _?): false
            default: (a.key ?? "", a.message) < (b.key ?? "", b.message)
            }
        }
    }

    init(_ problem: ConfigProblem) {
        problems = [problem]
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
