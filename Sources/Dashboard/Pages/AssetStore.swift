import Foundation
import Synchronization

/// Files by name: the embedded ones, and in their place those of a folder, which are read again when they change.
final class AssetStore: Sendable {
    private struct State {
        var versions: [String: AssetFolder.Version] = [:]
        var files: [String: Asset]
        /// Counts up whenever a file changed, came or went.
        var revision = 0
    }

    private let embedded: [String: Asset]
    private let folder: AssetFolder?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - embedded: content by name.
    ///   - folder: a folder whose files take the place of embedded ones of the same name; nil for none.
    /// - Throws: when the folder cannot be read.
    init(embedded: [String: Data], folder: String?) throws(PagesError) {
        self.embedded = embedded.mapValues(Asset.init)
        self.folder = folder.map(AssetFolder.init)
        state = Mutex(State(files: self.embedded))
        try refresh()
    }

    /// Whether files can change while the program runs.
    var hasFolder: Bool { folder != nil }

    /// All files as they were at the last refresh, and a number that changes when they do.
    var snapshot: (files: [String: Asset], revision: Int) {
        state.withLock { ($0.files, $0.revision) }
    }

    /// The file of that name. Names are looked up, never made into paths.
    func file(named name: String) -> Asset? {
        state.withLock { $0.files[name] }
    }

    /// Where a file comes from, for messages to people.
    func location(of name: String) -> String {
        guard let folder, state.withLock({ $0.versions[name] != nil }) else { return name }
        return folder.path.utf8.last == UInt8(ascii: "/") ? folder.path + name : folder.path + "/" + name
    }

    /// Lists the folder, and reads what has changed in it: waits for the disk, and keeps nobody else from its files.
    /// - Throws: when the folder cannot be read; what was read before stays.
    func refresh() throws(PagesError) {
        guard let folder else { return }
        let versions = try folder.list()
        let known = state.withLock { $0 }
        guard versions != known.versions else { return }
        var fresh = State(versions: versions, files: embedded, revision: known.revision + 1)
        // A file may have grown since it was listed.
        var room = AssetFolder.largestTotal
        for (name, version) in versions {
            if version == known.versions[name], let asset = known.files[name] {
                fresh.files[name] = asset
                room -= version.size
            } else if let (content, version) = folder.read(name, upTo: room) {
                fresh.files[name] = Asset(content: content)
                // What was read, not what was listed: if the two differ, the next listing differs from this.
                fresh.versions[name] = version
                room -= content.count
            }
        }
        state.withLock { $0 = fresh }
    }
}
