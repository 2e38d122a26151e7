import Foundation

/// The files of a folder that a user names, by their path below it: what a listing finds, and nothing else.
///
/// Hidden files, files over 5 MB, whatever is no regular file, and links that lead out of the folder are not listed.
struct AssetFolder: Sendable {
    /// One version of a file: it is read again when this changes.
    struct Version: Equatable, Sendable {
        var size: Int
        var modified: Date?
    }

    static let largestFile = 5_000_000
    static let mostEntries = 2_000

    /// The folder as the user wrote it.
    let path: String

    func list() throws(PagesError) -> [String: Version] {
        let root = URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath().standardizedFileURL
        let attributes = try? FileManager.default.attributesOfItem(atPath: root.path)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            throw .folder(
                path: path, problem: "there is no such folder; create it, or take it out of the configuration")
        }
        guard
            FileManager.default.isReadableFile(atPath: root.path),
            let found = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: [.isSymbolicLinkKey], options: [.skipsHiddenFiles])
        else { throw .folder(path: path, problem: "the folder cannot be read; check its permissions") }

        let prefix = root.path.hasSuffix("/") ? root.path : root.path + "/"
        var files: [String: Version] = [:]
        var entries = 0
        for case let url as URL in found {
            entries += 1
            guard entries <= Self.mostEntries else {
                throw .folder(
                    path: path, problem: "it holds more than \(Self.mostEntries) files; name a folder of its own")
            }
            let target = url.resolvingSymlinksInPath().standardizedFileURL
            guard
                target.path.hasPrefix(prefix), url.path.hasPrefix(prefix),
                let attributes = try? FileManager.default.attributesOfItem(atPath: target.path),
                attributes[.type] as? FileAttributeType == .typeRegular,
                let size = (attributes[.size] as? NSNumber)?.intValue, size <= Self.largestFile
            else { continue }
            let modified = attributes[.modificationDate] as? Date
            files[String(url.path.dropFirst(prefix.count))] = Version(size: size, modified: modified)
        }
        return files
    }

    /// The content of a listed file; nil when it went away meanwhile.
    func read(_ name: String) -> Data? {
        try? Data(contentsOf: URL(filePath: path, directoryHint: .isDirectory).appending(path: name))
    }
}
