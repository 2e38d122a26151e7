package import Configuration
import FoundationEssentials
package import Handoff
package import Logging
import Pixels
package import Readings
import Synchronization
import Untrusted

/// The settings that clients change while the program runs. They hold until they are changed or forgotten, or until their
/// keys in `config.toml` are edited, whether the program runs at that time or not.
package final class SettingsMemory: Sendable {
    /// The time to wait for further changes before they are stored: drawing a region makes many.
    private static let delay = Duration.seconds(1)

    private struct Stored {
        var changes: ClientChanges?
        /// The reason why the last attempt to store changes has failed, or why the first one will fail.
        var failure: String?
    }

    private let settings: Latest<Settings>
    private let stateFile: StateFile?
    private let revisions: Latest<Revisions>
    private let log: RateLimitedLogger
    private let clocks: Clocks
    /// The changes that were recalled at the start.
    private let recalled: ClientChanges?
    /// The probes at the start.
    private let probes: [Probe]
    private let stored: Mutex<Stored>

    /// Applies the changes that an earlier run has stored.
    /// - Parameters:
    ///   - stateFile: The file that keeps the changes; nil to forget them at exit.
    ///   - revisions: Counts the versions of the changes.
    package init(
        _ settings: Latest<Settings>, stateFile: StateFile? = nil,
        revisions: Latest<Revisions> = Latest(Revisions()), clocks: Clocks = Clocks(), log: Logger
    ) {
        self.settings = settings
        self.stateFile = stateFile
        self.revisions = revisions
        self.log = RateLimitedLogger(log)
        self.clocks = clocks
        // The capture thread reports a file that cannot be read.
        let found = (try? stateFile?.read())?.settings
        if let found {
            let since = Date.isTimestamp(found.since) ? found.since : clocks.date().timestamp
            settings.update { $0.recall(found, since: since) }
        }
        recalled = settings.value.clientChanges
        probes = settings.value.effective.probes
        // If nothing was dropped, the file need not be written again.
        stored = Mutex(
            Stored(changes: found?.lines == recalled?.lines ? recalled : found, failure: stateFile?.claimFailure))
        guard let recalled else { return }
        log.info(
            "\(recalled.names) as changed by a client on \(recalled.since). DELETE /api/settings or an edit to config.toml ends that."
        )
    }

    /// A sentence about changes that will be lost when the program ends; nil if there are none.
    package var problem: String? {
        let changes = settings.value.clientChanges
        return stored.withLock { $0.changes == changes ? nil : $0.failure.map(Self.warning) }
    }

    /// Changes the settings, and remembers those that differ from `config.toml`.
    package func change(_ change: (inout Config) -> Void) {
        let time = clocks.date().timestamp
        settings.update { $0.change(at: time, change) }
    }

    /// Sets an item of a list, at the place of the one of its name or else at the end.
    /// - Parameter prepare: Changes the other items, if this one is set.
    /// - Returns: Whether it is new; nil if it was not set, because the list is full.
    package func set<Item: Config.NamedItem>(
        _ item: Item, in list: WritableKeyPath<Config, [Item]>, preparing prepare: (inout [Item]) -> Void = { _ in }
    ) -> Bool? {
        var isNew: Bool?
        change { config in
            let index = config[keyPath: list].firstIndex { $0.name == item.name }
            guard index != nil || config[keyPath: list].count < Item.maxCount else {
                isNew = nil
                return
            }
            prepare(&config[keyPath: list])
            if let index { config[keyPath: list][index] = item } else { config[keyPath: list].append(item) }
            isNew = index == nil
        }
        return isNew
    }

    /// Deletes an item of a list, and returns it; nil if there is none of this name.
    package func delete<Item: Config.NamedItem>(_ name: String?, from list: WritableKeyPath<Config, [Item]>) -> Item? {
        var deleted: Item?
        change { config in
            let index = config[keyPath: list].firstIndex { $0.name == name }
            deleted = index.map { config[keyPath: list].remove(at: $0) }
        }
        return deleted
    }

    /// Forgets all changes: the settings of `config.toml` hold again.
    package func forget() { settings.update { $0.forgetChanges() } }

    /// Counts the versions of the changes, and stores them, until the task is cancelled.
    package func run() async {
        let updates = settings.updates()
        await withTaskGroup { group in
            group.addTask { await self.count() }
            await store()
            for await _ in updates {
                try? await clocks.sleep(Self.delay)
                await store()
            }
            await store()
            group.cancelAll()
        }
    }

    private func count() async {
        // Pages draw the probes, which an edit of `config.toml` can change, too.
        var last = (recalled, probes)
        func count(_ changes: ClientChanges?, _ probes: [Probe]) {
            if last != (changes, probes) { revisions.update { $0.settings += 1 } }
            last = (changes, probes)
        }
        let updates = settings.updates()
        count(settings.value.clientChanges, settings.value.effective.probes)
        for await settings in updates { count(settings.clientChanges, settings.effective.probes) }
    }

    /// Stores the changes if they differ from what is stored, on a thread of its own.
    private func store() async {
        let changes = settings.value.clientChanges
        guard let stateFile, stored.withLock({ $0.changes != changes }) else { return }
        await BlockingThread.run(named: "settings") { [self] in
            do {
                try stateFile.store(changes)
                stored.withLock { $0 = Stored(changes: changes) }
                log.report(nil)
            } catch {
                let reason = error.reason
                stored.withLock { $0.failure = reason }
                // Pages load the settings again, and with them the problem.
                if log.report(Self.warning(reason)) { revisions.update { $0.settings += 1 } }
            }
        }
    }

    private static func warning(_ reason: String) -> String {
        "Changed settings will not be remembered for the next start: \(reason)"
    }
}
