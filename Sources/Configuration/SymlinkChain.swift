import Foundation
import Inotify

/// The way to a file, name by name, through every symbolic link on it: what to watch to know when the path leads to
/// something else.
///
/// It is the file that is at the end of a link, or of a link to a folder on the way, that editors and deployments
/// exchange; a watch of the file itself would go on looking at the old one.
struct SymlinkChain: Equatable, Sendable {
    /// A name that has to be looked up in a folder; the folder's path has no links in it.
    struct Step: Equatable, Sendable {
        var folder: String
        var name: String
        /// Whether it is the file's own name, or a link in its place.
        var isLast: Bool
    }

    /// Linux gives up after 40 links (path_resolution(7)); nobody needs as many here.
    private static let mostLinks = 16
    private static let mostSteps = 64

    private(set) var steps: [Step] = []
    /// Where it ends, whether there is something or not.
    private(set) var target = "/"

    /// - Parameter path: absolute, or relative to the current folder.
    init(to path: String) {
        let start = path.unicodeScalars.first == "/" ? "" : FileManager.default.currentDirectoryPath
        var names = Self.names(in: start + "/" + path)
        var links = 0
        while let name = names.popLast(), steps.count < Self.mostSteps {
            guard name != ".." else {
                target = (target as NSString).deletingLastPathComponent
                continue
            }
            steps.append(Step(folder: target, name: name, isLast: names.isEmpty))
            let here = (target as NSString).appendingPathComponent(name)
            if links < Self.mostLinks, let link = try? FileManager.default.destinationOfSymbolicLink(atPath: here) {
                links += 1
                if link.unicodeScalars.first == "/" { target = "/" }
                names += Self.names(in: link)
            } else {
                target = here
            }
        }
    }

    /// The folders to watch; the last has the file itself.
    var folders: [WatchedFolder] {
        steps.map { step in
            WatchedFolder(step.folder, step.isLast ? [.entries, .contents, .attributes] : .entries) { $0 == step.name }
        }
    }

    /// The last name first.
    private static func names(in path: String) -> [String] {
        // By scalar, as the kernel does: a name that begins with a combining mark makes one character of the slash and it.
        path.unicodeScalars.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
    }
}
