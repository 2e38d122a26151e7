import Glibc

/// A folder and the changes in it that are of interest.
package struct WatchedFolder: Sendable {
    package var path: String
    package var events: FolderEvents
    /// Returns whether changes of the file with this name are reported.
    package var isOfInterest: @Sendable (_ name: String) -> Bool

    /// Creates a folder to watch.
    /// - Parameter isOfInterest: Returns whether changes of the file with this name are reported. By default, changes
    ///   of every file are reported.
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
    /// Bits of inotify(7).
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Files are created, removed or renamed.
    package static let entries = FolderEvents(rawValue: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
    /// Files are written and closed. IN_MODIFY shows that a file is being written, which is the sign to wait until it
    /// is closed.
    package static let contents = FolderEvents(rawValue: IN_MODIFY | IN_CLOSE_WRITE)
    /// Owners or permissions change.
    package static let attributes = FolderEvents(rawValue: IN_ATTRIB)

    var mask: UInt32 { UInt32(rawValue | IN_DELETE_SELF | IN_MOVE_SELF) }
}

/// An event as the kernel writes it (inotify(7), "Reading events from an inotify file descriptor").
struct InotifyEvent: Equatable {
    /// The descriptor of the watch (`wd`); -1 if the event belongs to none.
    var watchDescriptor: Int32
    var mask: UInt32
    /// The name of the file in the folder; nil if the event is about the folder itself.
    var name: String?

    var isOverflow: Bool { has(IN_Q_OVERFLOW) }
    /// Whether the folder or its file system is gone and the kernel has removed the watch.
    var isEndOfWatch: Bool { has(IN_IGNORED) }

    func has(_ bit: Int32) -> Bool { mask & UInt32(bit) != 0 }

    /// Returns the complete events in the bytes of one read(2).
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        let head = MemoryLayout<inotify_event>.size
        var events: [InotifyEvent] = []
        var rest = bytes
        while rest.count >= head {
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            // The name is padded with at least one NUL.
            let name = rest.dropFirst(head).prefix(Int(event.len))
            guard name.count == Int(event.len) else { break }
            let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            events.append(InotifyEvent(watchDescriptor: event.wd, mask: event.mask, name: text.isEmpty ? nil : text))
            rest = rest.dropFirst(head + name.count)
        }
        return events
    }
}
