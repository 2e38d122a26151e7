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
        return folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
    }

    /// Looks at the folder, and reads what changed there.
    /// - Throws: when the folder cannot be read; what was read before stays.
    func refresh() throws(PagesError) {
        guard let folder else { return }
        let versions = try folder.list()
        state.withLock { state in
            guard versions != state.versions else { return }
            var files = embedded
            for (name, version) in versions {
                if version == state.versions[name], let known = state.files[name] {
                    files[name] = known
                } else if let content = folder.read(name) {
                    files[name] = Asset(content: content)
                }
            }
            state.versions = versions
            state.files = files
            state.revision += 1
        }
    }
}
