package import Configuration
import Documents
import FoundationEssentials
package import Handoff
package import Logging
import Pixels
package import Readings
import Untrusted

/// The settings that clients change while the program runs. They hold until they are changed or forgotten, or until
/// their keys in `config.toml` are edited, whether the program runs at that time or not.
///
/// A caller that changes them waits until the change is in use and on the disk.
package final class SettingsMemory: Sendable {
    /// The shortest time from one write to the next, in seconds: drawing a region makes many changes.
    private static let interval = 0.25

    private let settings: Latest<Settings>
    private let revisions: Latest<Revisions>
    private let clocks: Clocks
    /// The changes that were recalled at the start.
    private let recalled: ClientChanges?
    /// The probes and the scales at the start.
    private let probes: [Probe]
    private let scales: [Config.Scale]
    private let file: StoredFile<ClientChanges>

    /// Applies the changes that an earlier run has stored. It blocks the thread.
    /// - Parameters:
    ///   - folder: The folder of the file that keeps the changes; nil to forget them at exit.
    ///   - revisions: Counts the versions of the changes.
    package init(
        _ settings: Latest<Settings>, in folder: StateFolder? = nil,
        revisions: Latest<Revisions> = Latest(Revisions()), clocks: Clocks = Clocks(), log: Logger
    ) {
        self.settings = settings
        self.revisions = revisions
        self.clocks = clocks
        file = StoredFile(
            "settings.json", for: "changed settings", in: folder, interval: Self.interval, clocks: clocks,
            log: RateLimitedLogger(log)
        ) { $0.isValid ? $0 : nil }
        if let found = file.restored {
            let since = Date.isTimestamp(found.since) ? found.since : clocks.date().timestamp
            settings.update { $0.recall(found, since: since) }
        }
        recalled = settings.value.clientChanges
        (probes, scales) = (settings.value.effective.probes, settings.value.effective.scales)
        guard let recalled else { return }
        log.info(
            "\(recalled.names) as changed by a client on \(recalled.since). DELETE /api/settings or an edit to config.toml ends that."
        )
    }

    /// A sentence about changes that will be lost when the program ends; nil if there are none.
    package var problem: String? { file.problem }

    /// Changes the settings, and remembers those that differ from `config.toml`. It waits for the disk.
    package func change(_ change: (inout Config) -> Void) async {
        let time = clocks.date().timestamp
        settings.update { $0.change(at: time, change) }
        await save()
    }

    /// Forgets all changes: the settings of `config.toml` hold again. It waits for the disk.
    package func forget() async {
        settings.update { $0.forgetChanges() }
        await save()
    }

    /// Counts the versions of the changes, and stores those that edits to `config.toml` make, until the task is
    /// cancelled.
    package func run() async {
        let updates = settings.updates()
        await withTaskGroup { group in
            group.addTask { await self.count() }
            await save()
            for await _ in updates { await save() }
            await save()
            group.cancelAll()
        }
    }

    private func count() async {
        // Pages draw the probes and the scales, which an edit of `config.toml` can change, too.
        var last = (recalled, probes, scales)
        func count(_ settings: Settings) {
            let new = (settings.clientChanges, settings.effective.probes, settings.effective.scales)
            if last != new { revisions.update { $0.settings += 1 } }
            last = new
        }
        let updates = settings.updates()
        count(settings.value)
        for await settings in updates { count(settings) }
    }

    private func save() async {
        let before = problem
        // Pages load the settings again, and with them the problem.
        if await file.save({ [settings] in settings.value.clientChanges }) != before {
            revisions.update { $0.settings += 1 }
        }
    }
}
