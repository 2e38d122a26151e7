/// The reason why a template or a folder cannot be used.
package enum PagesError: Error, Equatable, CustomStringConvertible {
    /// A template is invalid. Line and column count from 1.
    case template(file: String, line: Int, column: Int, problem: String)
    /// Templates and blocks are nested too deep in a template, or it contains itself.
    case nested(file: String, limit: Int)
    /// A required template is missing.
    case missing(file: String)
    /// A folder cannot be used.
    case folder(path: String, problem: String)

    /// The place of the problem, and a sentence about it.
    package var description: String {
        switch self {
        case .template(let file, let line, let column, let problem):
            "\(file):\(line):\(column): \(problem)"
        case .nested(let file, let limit):
            "\(file): partials and blocks are nested more than \(limit) deep; does one of them contain itself?"
        case .missing(let file):
            "\(file): there is no such template"
        case .folder(let path, let problem):
            "\(path): \(problem)"
        }
    }
}

extension PagesError {
    /// Returns an error of a whole template, which is reported at its first line and column.
    static func start(of file: String, problem: String) -> PagesError {
        .template(file: file, line: 1, column: 1, problem: problem)
    }
}
