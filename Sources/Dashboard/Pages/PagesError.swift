/// A template or a folder of templates that cannot be used.
package enum PagesError: Error, Equatable, CustomStringConvertible {
    /// A template that does not parse. Line and column count from 1.
    case template(file: String, line: Int, column: Int, problem: String)
    /// Templates or blocks that contain themselves: rendering would never end.
    case cycle(file: String, chain: [String])
    /// A template that must be there is not.
    case missing(file: String)
    /// A folder that cannot be read.
    case folder(path: String, problem: String)

    package var description: String {
        switch self {
        case .template(let file, let line, let column, let problem):
            "\(file):\(line):\(column): \(problem)"
        case .cycle(let file, let chain):
            "\(file): it contains itself, \(chain.joined(separator: " > ")); take one of them out"
        case .missing(let file):
            "\(file): there is no such template"
        case .folder(let path, let problem):
            "\(path): \(problem)"
        }
    }
}
