import Glibc

/// A folder and the changes in it that are of interest.
package struct WatchedFolder: Sendable {
    /// The path of the folder.
    package var path: String
    /// The kinds of changes that are reported.
    package var events: FolderEvents
    /// Returns whether changes of the file with this name are reported.
    package var isOfInterest: @Sendable (_ name: String) -> Bool

    /// Creates a folder to watch.
    /// - Parameter isOfInterest: Returns whether changes of the file with this name are reported. By default, those of
    ///   every file are.
    package init(
        _ path: String, _ events: FolderEvents,
        isOfInterest: @escaping @Sendable (_ name: String) -> Bool = { _ in true }
    ) {
        self.path = path
        self.events = events
        self.isOfInterest = isOfInterest
    }
}

/// The kinds of changes to watch for. The removal or renaming of the folder itself is always reported.
package struct FolderEvents: OptionSet, Sendable {
    /// The kinds of changes as bits.
    package let rawValue: Int

    /// Creates a set from its bits.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Files are created, removed or renamed.
    package static let entries = FolderEvents(rawValue: 1)
    /// Files are written and closed.
    package static let contents = FolderEvents(rawValue: 2)
    /// Owners or permissions change.
    package static let attributes = FolderEvents(rawValue: 4)

    var mask: UInt32 {
        var mask = IN_DELETE_SELF | IN_MOVE_SELF
        if contains(.entries) { mask |= IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO }
        // IN_MODIFY shows that a file is being written, which is the sign to wait until it is closed.
        if contains(.contents) { mask |= IN_MODIFY | IN_CLOSE_WRITE }
        if contains(.attributes) { mask |= IN_ATTRIB }
        return UInt32(mask)
    }
}
