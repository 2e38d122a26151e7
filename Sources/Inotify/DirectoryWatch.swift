// Dispatch's sources are thread-safe, and not marked so.
@unsafe @preconcurrency import Dispatch
import Glibc
import Synchronization

/// Tells that something has changed in some folders, by inotify(7): soon after the last of a burst of changes, and not
/// while a file is half-written.
///
/// Look at the files after folders were added, not before: what changes in between is told, too.
package final class DirectoryWatch: Sendable {
    private struct State {
        var folders: [Int32: [WatchedFolder]] = [:]
        var pending: PendingChange
    }

    /// As many reads as that before others have their turn.
    private static let mostReads = 16

    /// An element for each burst of changes; for one listener, with room for one: a newer one says no more.
    package let changes: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation
    private let descriptor: Int32
    private let reader: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let state: Mutex<State>

    /// Watches nothing yet.
    /// - Parameter quiet: How long there has to be no change before changes are told.
    /// - Throws: when the system has no more for this user.
    package init(quiet: Duration = .milliseconds(150)) throws(WatchError) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw WatchError(call: .open, errno: errno) }
        state = Mutex(State(pending: PendingChange(quiet: quiet)))
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let queue = DispatchQueue(label: "inotify")
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        reader.setEventHandler { [weak self] in self?.read() }
        // Not before dispatch has let go of it: the number may be another file's by then.
        reader.setCancelHandler { [descriptor] in _ = close(descriptor) }
        timer.setEventHandler { [weak self] in self?.tell() }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        reader.activate()
    }

    deinit {
        reader.cancel()
        timer.cancel()
        continuation.finish()
    }

    /// Watches one more folder; one that is watched already is watched for this, too.
    package func add(_ folder: WatchedFolder) throws(WatchError) {
        let problem = state.withLock { state in add(folder, to: &state.folders) }
        if let problem { throw problem }
    }

    /// Watches these folders and no others.
    /// - Returns: Why some of them are not watched, by their place in the list.
    @discardableResult
    package func replace(with folders: [WatchedFolder]) -> [Int: WatchError] {
        state.withLock { state in
            var watched: [Int32: [WatchedFolder]] = [:]
            var problems: [Int: WatchError] = [:]
            for (index, folder) in folders.enumerated() {
                problems[index] = add(folder, to: &watched)
            }
            for id in state.folders.keys where watched[id] == nil {
                // Fails if the folder has gone by itself: all the same.
                _ = inotify_rm_watch(descriptor, id)
                state.pending.forget(id)
            }
            state.folders = watched
            return problems
        }
    }

    private func add(_ folder: WatchedFolder, to watched: inout [Int32: [WatchedFolder]]) -> WatchError? {
        let id = watch(folder.path, for: folder.events)
        guard id >= 0 else { return WatchError(call: .watch, errno: errno, path: folder.path) }
        watched[id, default: []].append(folder)
        // The same folder, perhaps by another path: the kernel has one watch for it, and took the last request alone.
        let events = watched[id, default: []].reduce(FolderEvents()) { $0.union($1.events) }
        if events != folder.events { _ = watch(folder.path, for: events) }
        return nil
    }

    private func watch(_ path: String, for events: FolderEvents) -> Int32 {
        unsafe inotify_add_watch(descriptor, path, events.mask | UInt32(IN_ONLYDIR))
    }

    // MARK: On the queue

    private func read() {
        // Room for some events with the longest names.
        var buffer = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<Self.mostReads {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }  // EAGAIN: there is no more
            let events = InotifyEvent.all(in: buffer[..<count])
            state.withLock { state in
                for event in events { note(event, in: &state) }
            }
        }
        setTimer()
    }

    private func note(_ event: InotifyEvent, in state: inout State) {
        guard !event.isOverflow else { return state.pending.startOver(at: .now) }
        // Of a folder that is not watched any more.
        guard let folders = state.folders[event.id] else { return }
        if event.isEndOfWatch {
            state.folders[event.id] = nil
            state.pending.forget(event.id)
            return state.pending.changed(nil, at: .now)
        }
        guard let name = event.name else { return state.pending.changed(nil, at: .now) }
        guard let folder = folders.first(where: { $0.isOfInterest(name) }) else { return }
        let file = PendingChange.File(folder: event.id, name: name)
        let wantsContents = folders.contains { $0.events.contains(.contents) && $0.isOfInterest(name) }
        switch event.change {
        case .written: state.pending.writing(file)
        case .created where wantsContents && FileStatus(folder.path + "/" + name).mayHaveWriter:
            state.pending.created(file, at: .now)
        case .created, .other: state.pending.changed(file, at: .now)
        case .attributes: state.pending.touched(at: .now)
        }
    }

    private func tell() {
        let isDue = state.withLock { $0.pending.take(at: .now) }
        if isDue { continuation.yield() }
        setTimer()
    }

    private func setTimer() {
        guard let due = state.withLock({ $0.pending.due }) else { return timer.schedule(deadline: .distantFuture) }
        let wait = ContinuousClock.now.duration(to: due).components
        let nanoseconds = max(0, Int(wait.seconds) * 1_000_000_000 + Int(wait.attoseconds / 1_000_000_000))
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
    }
}
