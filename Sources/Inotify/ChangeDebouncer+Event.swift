extension ChangeDebouncer {
    /// Records an event in a folder.
    /// - Parameter folders: The purposes for which the folder is watched.
    mutating func record(_ event: InotifyEvent, in folders: [WatchedFolder], at now: ContinuousClock.Instant) {
        guard let name = event.name else { return changed(nil, at: now) }
        let interested = folders.filter { $0.isOfInterest(name) }
        guard let folder = interested.first else { return }
        let file = File(folder: event.id, name: name)
        let wantsContents = interested.contains { $0.events.contains(.contents) }
        switch event.change {
        case .written: writing(file)
        case .created where wantsContents && FileStatus(folder.path + "/" + name).mayHaveWriter:
            created(file, at: now)
        case .created, .other: changed(file, at: now)
        case .attributes: recordChange(at: now)
        }
    }
}
