/// When changes are to be told: when it has been quiet for a while after the last, and nobody is writing.
struct PendingChange {
    struct File: Hashable {
        var folder: Int32
        var name: String
    }

    /// How long a file that was created may stay empty and unwritten: one that was linked into its place complete, as
    /// O_TMPFILE allows, never gets a writer who closes it.
    private static let emptyTime = Duration.seconds(1)
    /// Changes that do not end are told at times all the same, save of a file that is written without end.
    private static let longestDelay = 10
    /// More files than anyone writes at a time.
    private static let mostWritten = 256

    private let quiet: Duration
    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    /// Files that are being written, and until when they are waited for; nil: until they are closed.
    private var written: [File: ContinuousClock.Instant?] = [:]

    init(quiet: Duration) {
        self.quiet = quiet
    }

    /// When to tell; nil: not before something else happens.
    var due: ContinuousClock.Instant? {
        guard let first, let last else { return nil }
        var due = min(last + quiet, first + quiet * Self.longestDelay)
        for end in written.values {
            guard let end else { return nil }
            due = max(due, end)
        }
        return due
    }

    /// A file was closed after writing, came, went; nil: the folder did.
    mutating func changed(_ file: File?, at now: ContinuousClock.Instant) {
        // The time that its writer took does not count: there may be another one coming.
        if let file, written.removeValue(forKey: file) != nil { first = now }
        touched(at: now)
    }

    /// A file was created, perhaps to be written now.
    mutating func created(_ file: File, at now: ContinuousClock.Instant) {
        hold(file, until: now + Self.emptyTime)
        touched(at: now)
    }

    /// A file was written to, and will be closed: nothing to tell before that.
    mutating func writing(_ file: File) {
        hold(file, until: nil)
    }

    /// Something else happened, which says nothing about who writes.
    mutating func touched(at now: ContinuousClock.Instant) {
        first = first ?? now
        last = now
    }

    /// Nothing is known any more but that there were changes.
    mutating func startOver(at now: ContinuousClock.Instant) {
        written = [:]
        touched(at: now)
    }

    /// A folder is not watched any more.
    mutating func forget(_ folder: Int32) {
        written = written.filter { $0.key.folder != folder }
    }

    /// Whether to tell now; if so, it is told.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        (first, last) = (nil, nil)
        written = [:]
        return true
    }

    private mutating func hold(_ file: File, until end: ContinuousClock.Instant?) {
        if written.count >= Self.mostWritten { written = [:] }
        // `written[file] = end` would forget the file where there is no end.
        written.updateValue(end, forKey: file)
    }
}
