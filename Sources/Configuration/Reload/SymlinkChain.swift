import FoundationEssentials
import Inotify

/// The names that are looked up to resolve a path, including those in symbolic links. Watching these names shows when
/// the path leads to another file.
///
/// Editors and deployments replace the file at the end of a link, or a link on the way. A watch of the file itself
/// would keep watching the old file.
struct SymlinkChain: Equatable, Sendable {
    /// A name that is looked up in a folder. The path of the folder contains no links.
    struct Step: Equatable, Sendable {
        var folder: String
        var name: String
        /// Whether it is the last name: that of the file, or of a link to it.
        var isLast: Bool
    }

    /// The maximum number of links that are followed. Linux follows 40 (path_resolution(7)), but nobody needs as many
    /// here.
    private static let maxLinks = 16
    private static let maxSteps = 64

    private(set) var steps: [Step] = []
    /// The path at the end of the chain, whether it exists or not.
    var target: String { Self.path(of: names) }
    /// The names in the path at the end of the chain, from the root.
    private var names: [String] = []

    /// Follows a path, which is absolute or relative to the current folder.
    init(to path: String) {
        let start = path.unicodeScalars.first == "/" ? "" : FileManager.default.currentDirectoryPath
        var rest = Self.names(in: start + "/" + path)
        var links = 0
        while let name = rest.popLast(), steps.count < Self.maxSteps {
            guard name != ".." else {
                _ = names.popLast()
                continue
            }
            steps.append(Step(folder: target, name: name, isLast: rest.isEmpty))
            let here = Self.path(of: names + [name])
            if links < Self.maxLinks, let link = try? FileManager.default.destinationOfSymbolicLink(atPath: here) {
                links += 1
                if link.unicodeScalars.first == "/" { names = [] }
                rest += Self.names(in: link)
            } else {
                names.append(name)
            }
        }
    }

    /// The folders to watch. The last one contains the file.
    var folders: [WatchedFolder] {
        steps.map { step in
            WatchedFolder(step.folder, step.isLast ? [.entries, .contents, .attributes] : .entries) { $0 == step.name }
        }
    }

    private static func path(of names: [String]) -> String {
        "/" + names.joined(separator: "/")
    }

    /// Returns the names in a path, the last one first.
    private static func names(in path: String) -> [String] {
        // The kernel splits at the byte. A combining mark after a slash would make one `Character` of both.
        path.unicodeScalars.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
    }
}
