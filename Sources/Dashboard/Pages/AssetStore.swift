import Dispatch
import FoundationEssentials
import Handoff
import Synchronization

/// A store of files by name: the embedded ones and those of a folder, which take precedence and are re-read on change.
final class AssetStore: Sendable {
    private struct State {
        var versions: [String: AssetFolder.Version] = [:]
        var files: [String: Asset]
        /// Incremented whenever a file is changed, added or removed.
        var revision = 0
    }

    private let embedded: [String: Asset]
    private let folder: AssetFolder?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - embedded: The embedded contents by name.
    ///   - folder: A folder, if any. Its files replace embedded ones of the same name and add to the others.
    /// - Throws: An error if the folder cannot be read.
    init(embedded: [String: Data], folder: String?) throws(PagesError) {
        self.embedded = Dictionary(uniqueKeysWithValues: embedded.map { ($0, Asset(content: $1, named: $0)) })
        self.folder = folder.map(AssetFolder.init)
        state = Mutex(State(files: self.embedded))
        try refresh()
    }

    var hasFolder: Bool { folder != nil }

    /// The files as of the last refresh, and a number that changes with them.
    var snapshot: (files: [String: Asset], revision: Int) {
        state.withLock { ($0.files, $0.revision) }
    }

    /// Returns the file with a name; nil if there is none. The name is only looked up, and never used as a path.
    func file(named name: String) -> Asset? {
        state.withLock { $0.files[name] }
    }

    /// Returns the location of a file for messages: its path if it is in the folder, otherwise its name.
    func location(of name: String) -> String {
        guard let folder, state.withLock({ $0.versions[name] != nil }) else { return name }
        return folder.path.utf8.last == UInt8(ascii: "/") ? folder.path + name : folder.path + "/" + name
    }

    /// Lists the folder and reads the files that have changed. It waits for the disk, but blocks no other callers.
    /// - Throws: An error if the folder cannot be read. The files of the last refresh are then kept.
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
                fresh.files[name] = Asset(content: content, named: name)
                // This is the version that was read. If the listed one differs, the next refresh reads the file again.
                fresh.versions[name] = version
                room -= content.count
            }
        }
        state.withLock { $0 = fresh }
    }
}

/// A refresh from disk that many requests share. It runs only on request, at most twice a second, and on a separate
/// thread. Requests that arrive during a run wait for that run.
final class SharedRefresh: Sendable {
    private struct State {
        var lastEnd: MonotonicTime
        var current: (task: Task<Void, Never>, start: MonotonicTime)?
    }

    /// The time from the end of a refresh to the start of the next one, in seconds.
    static let interval = 0.5
    /// The age of a running refresh, in seconds, after which new callers no longer wait for it, because the disk may
    /// not respond.
    static let timeout = 1.0

    private let queue: DispatchQueue
    private let clocks: Clocks
    private let state: Mutex<State>

    /// Starts as if everything had just been refreshed.
    init(label: String, clocks: Clocks) {
        queue = DispatchQueue(label: label)
        self.clocks = clocks
        state = Mutex(State(lastEnd: clocks.now()))
    }

    /// Refreshes if the last refresh is too old, and waits for a refresh that is running.
    /// - Parameter work: The refresh. It is never run twice at the same time.
    func run(_ work: @escaping @Sendable () -> Void) async {
        await state.withLock { task(for: work, &$0) }?.value
    }

    /// Returns the task to wait for, and starts one if a refresh is due; nil if there is nothing to wait for.
    private func task(for work: @escaping @Sendable () -> Void, _ state: inout State) -> Task<Void, Never>? {
        let now = clocks.now()
        if let current = state.current { return now - current.start < Self.timeout ? current.task : nil }
        guard now - state.lastEnd >= Self.interval else { return nil }
        let task = Task {
            await withCheckedContinuation { continuation in
                queue.async {
                    work()
                    self.state.withLock { $0 = State(lastEnd: self.clocks.now()) }
                    continuation.resume()
                }
            }
        }
        state.current = (task, now)
        return task
    }
}
