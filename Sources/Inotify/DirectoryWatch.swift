// Dispatch's sources are thread-safe but not marked as such.
@unsafe @preconcurrency import Dispatch
import Glibc
import Synchronization

/// A watch that reports changes in folders, through inotify(7): soon after the last of a burst of changes, and not
/// while a file is half-written.
///
/// Read the files after adding their folders, not before, so that a change in between is reported as well.
package final class DirectoryWatch: Sendable {
    private struct State {
        var watches: [Int32: [WatchedFolder]] = [:]
        var debouncer: ChangeDebouncer
    }

    /// The number of reads after which other work has its turn.
    private static let maxReads = 16

    /// An element for each burst of changes. The stream is for one listener and buffers one element, because more of
    /// them would add no information.
    package let changes: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation
    private let descriptor: Int32
    private let reader: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let state: Mutex<State>

    /// Creates a watch without folders.
    /// - Parameter quiet: The time without a change after which changes are reported.
    /// - Throws: `WatchError` if the system grants no inotify instance, for example because this user has as many as
    ///   the system allows, or this process has too many open files.
    package init(quiet: Duration = .milliseconds(150)) throws(WatchError) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw WatchError(errno: errno) }
        state = Mutex(State(debouncer: ChangeDebouncer(quiet: quiet)))
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let queue = DispatchQueue(label: "inotify")
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        reader.setEventHandler { [weak self] in self?.read() }
        // The descriptor is closed only after Dispatch has released it; otherwise its number could meanwhile belong to
        // another file.
        reader.setCancelHandler { [descriptor] in _ = close(descriptor) }
        timer.setEventHandler { [weak self] in self?.report() }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        reader.activate()
    }

    deinit {
        reader.cancel()
        timer.cancel()
        continuation.finish()
    }

    /// Watches these folders and stops watching all others. A folder that is in the list twice is watched for both
    /// purposes.
    /// - Returns: The errors of folders that cannot be watched, by index in the list.
    @discardableResult
    package func replace(with folders: [WatchedFolder]) -> [Int: WatchError] {
        state.withLock { state in
            var watches: [Int32: [WatchedFolder]] = [:]
            var problems: [Int: WatchError] = [:]
            for (index, folder) in folders.enumerated() {
                let watchDescriptor = watch(folder.path, for: folder.events)
                guard watchDescriptor >= 0 else {
                    problems[index] = WatchError(errno: errno, path: folder.path)
                    continue
                }
                watches[watchDescriptor, default: []].append(folder)
                // If the same folder is watched by another path, the kernel has one watch for both and keeps only the
                // last request's events.
                let events = watches[watchDescriptor, default: []].reduce(FolderEvents()) { $0.union($1.events) }
                if events != folder.events { _ = watch(folder.path, for: events) }
            }
            for watchDescriptor in state.watches.keys where watches[watchDescriptor] == nil {
                // The call fails if the folder is gone, which makes no difference.
                _ = inotify_rm_watch(descriptor, watchDescriptor)
                state.debouncer.forget(watchDescriptor)
            }
            state.watches = watches
            return problems
        }
    }

    private func watch(_ path: String, for events: FolderEvents) -> Int32 {
        unsafe inotify_add_watch(descriptor, path, events.mask | UInt32(IN_ONLYDIR))
    }

    // MARK: On the queue

    private func read() {
        // Room for some events with the longest names.
        var buffer = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<Self.maxReads {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }  // EAGAIN: no more events
            let events = InotifyEvent.all(in: buffer[..<count])
            state.withLock { state in
                for event in events {
                    if event.isOverflow {
                        state.debouncer.eventsWereLost(at: .now)
                    } else if let watches = state.watches[event.watchDescriptor] {
                        state.debouncer.record(event, in: watches, at: .now)
                        if event.isEndOfWatch { state.watches[event.watchDescriptor] = nil }
                    }
                    // The event of a folder that is no longer watched is ignored.
                }
            }
        }
        report()
    }

    /// Reports the changes if that is due; otherwise waits until it is.
    private func report() {
        let (isDue, due) = state.withLock { ($0.debouncer.takeIfDue(at: .now), $0.debouncer.due) }
        if isDue { continuation.yield() }
        guard let due else { return timer.schedule(deadline: .distantFuture) }
        let wait = ContinuousClock.now.duration(to: due).components
        let nanoseconds = max(0, Int(wait.seconds) * 1_000_000_000 + Int(wait.attoseconds / 1_000_000_000))
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
    }
}

/// An error that keeps a folder from being watched.
package struct WatchError: Error, Equatable, Sendable, CustomStringConvertible {
    package var errno: Int32
    /// The folder that cannot be watched; nil if none can be.
    package var path: String?

    package var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }

    /// A sentence for a person, without a full stop.
    package var description: String {
        switch (path, errno) {
        // inotify_init1(2) gives the same number for both limits.
        case (nil, EMFILE):
            """
            this user has as many inotify instances, or this process as many open files, as allowed; \
            raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)
            """
        case (_?, ENOSPC):
            "this user watches as many files as the system allows; raise fs.inotify.max_user_watches"
        case (let path?, ENOENT), (let path?, ENOTDIR): "there is no folder \(path)"
        case (let path?, EACCES): "this user may not list the folder \(path)"
        default:
            "\(path.map { "inotify_add_watch of \($0)" } ?? "inotify_init1"): \(unsafe String(cString: strerror(errno)))"
        }
    }
}
