/// Everything that is wrong with the configuration, at once.
package struct ConfigError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Never empty; in the order of the file, those without a position after the others.
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

    /// A line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
