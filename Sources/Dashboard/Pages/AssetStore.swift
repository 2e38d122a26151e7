import FoundationEssentials
import Synchronization

/// Files by name: the embedded ones, or those of a folder that replace them and are read again when they change.
final class AssetStore: Sendable {
    private struct State {
        var versions: [String: AssetFolder.Version] = [:]
        var files: [String: Asset]
        /// Incremented whenever a file is changed, added or removed.
        var revision = 0
    }

    private let embedded: [String: Asset]
    private let folder: AssetFolder?
    private let isCompressible: @Sendable (String) -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - embedded: The embedded contents by name.
    ///   - folder: A folder whose files replace embedded ones of the same name, if any.
    ///   - isCompressible: Whether the file with a name is compressed for clients that accept that.
    /// - Throws: An error if the folder cannot be read.
    init(
        embedded: [String: Data], folder: String?, isCompressible: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws(PagesError) {
        self.isCompressible = isCompressible
        var files: [String: Asset] = [:]
        for (name, content) in embedded { files[name] = Asset(content: content, isCompressible: isCompressible(name)) }
        self.embedded = files
        self.folder = folder.map(AssetFolder.init)
        state = Mutex(State(files: self.embedded))
        try refresh()
    }

    /// Whether files can change while the program runs.
    var hasFolder: Bool { folder != nil }

    /// The files as of the last refresh, and a number that changes with them.
    var snapshot: (files: [String: Asset], revision: Int) {
        state.withLock { ($0.files, $0.revision) }
    }

    /// The file with a name. Names are only looked up, and never used as paths.
    func file(named name: String) -> Asset? {
        state.withLock { $0.files[name] }
    }

    /// The location of a file, for messages.
    func location(of name: String) -> String {
        guard let folder, state.withLock({ $0.versions[name] != nil }) else { return name }
        return folder.path.utf8.last == UInt8(ascii: "/") ? folder.path + name : folder.path + "/" + name
    }

    /// Lists the folder and reads what has changed in it. This waits for the disk, but does not block other callers.
    /// - Throws: An error if the folder cannot be read. The files from before are kept.
    func refresh() throws(PagesError) {
        guard let folder else { return }
        let versions = try folder.list()
        let known = state.withLock { $0 }
        guard versions != known.versions else { return }
        var fresh = State(versions: versions, files: embedded, revision: known.revision + 1)
        // A file may have grown since it was listed.
        var room = AssetFolder.maxTotalSize
        for (name, version) in versions {
            if version == known.versions[name], let asset = known.files[name] {
                fresh.files[name] = asset
                room -= version.size
            } else if let (content, version) = folder.read(name, upTo: room) {
                fresh.files[name] = Asset(content: content, isCompressible: isCompressible(name))
                // This is the version that was read. If the listed one differs, the next refresh reads the file again.
                fresh.versions[name] = version
                room -= content.count
            }
        }
        state.withLock { $0 = fresh }
    }
}
