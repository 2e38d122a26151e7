import Files
import Glibc

/// A debouncer of file changes: they are reported after a quiet time, and only when no file is being written.
struct ChangeDebouncer {
    struct File: Hashable {
        /// The descriptor of the watch on its folder.
        var watchDescriptor: Int32
        var name: String
    }

    /// The time to wait for a created file to be written. A file that was linked into place when complete, as O_TMPFILE
    /// allows, is never closed by a writer.
    private static let firstWriteTimeout = Duration.seconds(1)
    /// The number of quiet times after which continuous changes are reported anyway, unless a file is still being
    /// written.
    private static let maxQuietTimes = 10
    /// The number of open files to remember, more than anyone writes at a time.
    private static let maxOpenFiles = 256

    private let quiet: Duration
    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    /// The files that are being written, with the time until which to wait for each; nil means until it is closed.
    private var openFiles: [File: ContinuousClock.Instant?] = [:]

    init(quiet: Duration) {
        self.quiet = quiet
    }

    /// The time at which to report; nil if that depends on further events.
    var due: ContinuousClock.Instant? {
        guard let first, let last else { return nil }
        var due = min(last + quiet, first + quiet * Self.maxQuietTimes)
        for end in openFiles.values {
            guard let end else { return nil }
            due = max(due, end)
        }
        return due
    }

    /// Records that a file was closed after writing, or was created complete, removed or renamed: nobody writes it now.
    mutating func closed(_ file: File, at now: ContinuousClock.Instant) {
        // The time that writing took does not count, because another write may follow.
        if openFiles.removeValue(forKey: file) != nil { first = now }
        (first, last) = (first ?? now, now)
    }

    /// Records that a file was created and may now be written.
    mutating func created(_ file: File, at now: ContinuousClock.Instant) {
        writing(file, until: now + Self.firstWriteTimeout)
        recordChange(at: now)
    }

    /// Records that a file is being written; nothing is reported until it is closed, or until the given time.
    mutating func writing(_ file: File, until end: ContinuousClock.Instant? = nil) {
        if openFiles.count >= Self.maxOpenFiles { openFiles = [:] }
        // `openFiles[file] = end` would remove the file if `end` is nil.
        openFiles.updateValue(end, forKey: file)
    }

    /// Records a change that does not show whether a file is being written, or one of the folder itself.
    mutating func recordChange(at now: ContinuousClock.Instant) {
        (first, last) = (first ?? now, now)
    }

    /// Forgets which files are being written, because events were lost, and records a change.
    mutating func eventsWereLost(at now: ContinuousClock.Instant) {
        openFiles = [:]
        recordChange(at: now)
    }

    /// Forgets the files of a folder that is no longer watched.
    mutating func forget(_ watchDescriptor: Int32) {
        openFiles = openFiles.filter { $0.key.watchDescriptor != watchDescriptor }
    }

    /// Returns whether a report is due, and if so, waits for new changes from then on.
    mutating func takeIfDue(at now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        (first, last) = (nil, nil)
        openFiles = [:]
        return true
    }

    /// Records an event in a folder.
    /// - Parameter watches: The purposes for which the folder is watched.
    mutating func record(_ event: InotifyEvent, in watches: [WatchedFolder], at now: ContinuousClock.Instant) {
        if event.isEndOfWatch { forget(event.watchDescriptor) }
        guard let name = event.name else { return recordChange(at: now) }
        let interested = watches.filter { $0.isOfInterest(name) }
        guard let folder = interested.first else { return }
        let file = File(watchDescriptor: event.watchDescriptor, name: name)
        let wantsContents = interested.contains { $0.events.contains(.contents) }
        if event.has(IN_MODIFY) {
            writing(file)
        } else if event.has(IN_CREATE), wantsContents, mayHaveWriter(folder.path + "/" + name) {
            created(file, at: now)
        } else if event.has(IN_ATTRIB) {
            recordChange(at: now)
        } else {
            closed(file, at: now)
        }
    }

    /// Returns whether a program may be writing a newly created file: it is not a link, a folder, or a second name for
    /// an existing file.
    private func mayHaveWriter(_ path: String) -> Bool {
        guard let status = try? FileStatus(of: path) else { return false }
        return status.isRegular && status.fields.st_nlink == 1
    }
}
