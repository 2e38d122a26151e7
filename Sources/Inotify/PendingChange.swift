/// The decision when to report changes: after a quiet time, and when no file is being written.
struct PendingChange {
    struct File: Hashable {
        var folder: Int32
        var name: String
    }

    /// The time to wait for a created file to be written. A file that was linked into place when complete, as O_TMPFILE
    /// allows, is never closed by a writer.
    private static let emptyTime = Duration.seconds(1)
    /// The number of quiet times after which continuous changes are reported anyway, unless a file is still being
    /// written.
    private static let longestDelay = 10
    /// The number of files being written that are remembered, more than anyone writes at a time.
    private static let mostWritten = 256

    private let quiet: Duration
    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    /// The files that are being written, with the time until which to wait for each; nil means until it is closed.
    private var written: [File: ContinuousClock.Instant?] = [:]

    init(quiet: Duration) {
        self.quiet = quiet
    }

    /// The time at which to report; nil if that depends on further events.
    var due: ContinuousClock.Instant? {
        guard let first, let last else { return nil }
        var due = min(last + quiet, first + quiet * Self.longestDelay)
        for end in written.values {
            guard let end else { return nil }
            due = max(due, end)
        }
        return due
    }

    /// Records that a file was closed after writing, created or removed; nil stands for the folder itself.
    mutating func changed(_ file: File?, at now: ContinuousClock.Instant) {
        // The time that writing took does not count, because another write may follow.
        if let file, written.removeValue(forKey: file) != nil { first = now }
        touched(at: now)
    }

    /// Records that a file was created and may now be written.
    mutating func created(_ file: File, at now: ContinuousClock.Instant) {
        hold(file, until: now + Self.emptyTime)
        touched(at: now)
    }

    /// Records that a file was written to; nothing is reported until it is closed.
    mutating func writing(_ file: File) {
        hold(file, until: nil)
    }

    /// Records a change that does not show whether a file is being written.
    mutating func touched(at now: ContinuousClock.Instant) {
        first = first ?? now
        last = now
    }

    /// Forgets everything except that there were changes.
    mutating func startOver(at now: ContinuousClock.Instant) {
        written = [:]
        touched(at: now)
    }

    /// Forgets the files of a folder that is no longer watched.
    mutating func forget(_ folder: Int32) {
        written = written.filter { $0.key.folder != folder }
    }

    /// Returns whether to report now, and if so, starts over.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        (first, last) = (nil, nil)
        written = [:]
        return true
    }

    private mutating func hold(_ file: File, until end: ContinuousClock.Instant?) {
        if written.count >= Self.mostWritten { written = [:] }
        // `written[file] = end` would remove the file if `end` is nil.
        written.updateValue(end, forKey: file)
    }
}
