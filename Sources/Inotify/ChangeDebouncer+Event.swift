import Files
import Glibc

extension ChangeDebouncer {
    /// Records an event in a folder.
    /// - Parameter watches: The purposes for which the folder is watched.
    mutating func record(_ event: InotifyEvent, in watches: [WatchedFolder], at now: ContinuousClock.Instant) {
        guard let name = event.name else { return recordChange(at: now) }
        let interested = watches.filter { $0.isOfInterest(name) }
        guard let folder = interested.first else { return }
        let file = File(watchDescriptor: event.watchDescriptor, name: name)
        let wantsContents = interested.contains { $0.events.contains(.contents) }
        switch event.change {
        case .written: writing(file)
        case .created where wantsContents && mayHaveWriter(folder.path + "/" + name):
            created(file, at: now)
        case .created, .other: closed(file, at: now)
        case .attributes: recordChange(at: now)
        }
    }

    /// Returns whether a program may be writing a newly created file: it is not a link, a folder, or a second name for
    /// an existing file.
    private func mayHaveWriter(_ path: String) -> Bool {
        guard let status = try? FileStatus(of: path) else { return false }
        return status.isRegular && status.fields.st_nlink == 1
    }
}
