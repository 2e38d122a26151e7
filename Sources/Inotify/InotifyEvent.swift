import Glibc

/// One event as the kernel writes it (inotify(7), "Reading events from an inotify file descriptor").
struct InotifyEvent: Equatable {
    enum Change {
        /// The file was written to, and is still open.
        case written
        case created
        case attributes
        /// Closed after writing, removed, renamed.
        case other
    }

    /// Of the watch; -1 where it is about none.
    var id: Int32
    var mask: UInt32
    /// In the folder; nil: it is about the folder itself.
    var name: String?

    /// Events were lost.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// The folder is gone, or its file system; the kernel has forgotten the watch.
    var isEndOfWatch: Bool { mask & UInt32(IN_IGNORED) != 0 }

    var change: Change {
        if mask & UInt32(IN_MODIFY) != 0 { return .written }
        if mask & UInt32(IN_CREATE) != 0 { return .created }
        if mask & UInt32(IN_ATTRIB) != 0 { return .attributes }
        return .other
    }

    /// The events that one read returned: whole ones only.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        let head = MemoryLayout<inotify_event>.size
        var events: [InotifyEvent] = []
        var rest = bytes
        while rest.count >= head {
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            // Padded with NULs, at least one of them.
            let name = rest.dropFirst(head).prefix(Int(event.len))
            guard name.count == Int(event.len) else { break }
            let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            events.append(InotifyEvent(id: event.wd, mask: event.mask, name: text.isEmpty ? nil : text))
            rest = rest.dropFirst(head + name.count)
        }
        return events
    }
}
