import Glibc

/// A folder, and what in it is of interest.
package struct WatchedFolder: Sendable {
    package var path: String
    package var events: FolderEvents
    /// Whether a change of the file with this name is told.
    package var isOfInterest: @Sendable (_ name: String) -> Bool

    package init(
        _ path: String, _ events: FolderEvents,
        isOfInterest: @escaping @Sendable (_ name: String) -> Bool = { _ in true }
    ) {
        self.path = path
        self.events = events
        self.isOfInterest = isOfInterest
    }
}

/// What may happen in a folder. That the folder itself goes or is renamed is always told.
package struct FolderEvents: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Files come, go and are renamed.
    package static let entries = FolderEvents(rawValue: 1)
    /// Files were written and closed.
    package static let contents = FolderEvents(rawValue: 2)
    /// Owners and permissions change.
    package static let attributes = FolderEvents(rawValue: 4)

    var mask: UInt32 {
        var mask = IN_DELETE_SELF | IN_MOVE_SELF
        if contains(.entries) { mask |= IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO }
        // That a file is being written is the sign to wait until it is closed.
        if contains(.contents) { mask |= IN_MODIFY | IN_CLOSE_WRITE }
        if contains(.attributes) { mask |= IN_ATTRIB }
        return UInt32(mask)
    }
}
