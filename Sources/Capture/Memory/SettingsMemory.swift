package import Configuration
package import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization
import Untrusted

/// The settings that clients change while the program runs. They hold until they are changed or forgotten, or until their
/// keys in `config.toml` are edited, whether the program runs at that time or not.
package final class SettingsMemory: Sendable {
    /// The time to wait for further changes before the settings are stored: drawing a region makes many.
    private static let delay = Duration.seconds(1)

    private struct Stored {
        var settings: RememberedSettings?
        var hasFailed = false
    }

    private let config: Latest<Config>
    private let configured: Latest<Config>
    private let stateFile: StateFile?
    private let revisions: Latest<Revisions>
    private let log: Logger
    private let sleep: @Sendable (Duration) async throws -> Void
    private let date: @Sendable () -> Date
    private let memory: Latest<RememberedSettings?>
    private let stored: Mutex<Stored>
    /// Held while the memory is compared with the config.
    private let comparing = Mutex(())

    /// Applies the settings that an earlier run has stored.
    /// - Parameters:
    ///   - config: The config in effect.
    ///   - configured: The config of the file.
    ///   - stateFile: The file that keeps the settings; nil to forget them at exit.
    ///   - revisions: Counts the changes of what is remembered.
    ///   - sleep: Waits for a duration.
    ///   - date: Returns the time of day.
    package init(
        config: Latest<Config>, configured: Latest<Config>, stateFile: StateFile? = nil,
        revisions: Latest<Revisions> = Latest(Revisions()), log: Logger,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        date: @escaping @Sendable () -> Date = Date.init
    ) {
        self.config = config
        self.configured = configured
        self.stateFile = stateFile
        self.revisions = revisions
        self.log = log
        self.sleep = sleep
        self.date = date
        // The capture thread reports a file that cannot be read.
        let recalled = (try? stateFile?.settings()) ?? nil
        if let recalled { config.update { recalled.apply(over: configured.value, to: &$0) } }
        let since = recalled.flatMap { Date.isTimestamp($0.since) ? $0.since : nil } ?? date().timestamp
        let settings = RememberedSettings(of: config.value, over: configured.value, since: since)
        memory = Latest(settings)
        // If nothing was dropped, the file need not be written again.
        stored = Mutex(Stored(settings: recalled?.lines == settings?.lines ? settings : recalled))
        guard let settings else { return }
        log.info(
            "\(settings.names) as changed by a client on \(settings.since). DELETE /api/settings or an edit to config.toml ends that."
        )
    }

    /// The settings that hold instead of those in `config.toml`; nil if there are none.
    package var remembered: RememberedSettings? { memory.value }

    /// The number of changes of ``remembered``.
    package var revision: UInt64 { memory.revision }

    /// Changes the settings, and remembers those that differ from `config.toml`.
    package func change(_ change: (inout Config) -> Void) {
        config.update(change)
        compare()
    }

    /// Forgets all changes: the settings of `config.toml` hold again.
    package func forget() { change { RememberedSettings.forget(in: &$0, over: configured.value) } }

    /// Follows the edits to `config.toml`, and stores the settings, until the task is cancelled.
    package func run() async {
        let changes = memory.updates()
        await withTaskGroup { group in
            for latest in [config, configured] {
                let updates = latest.updates()
                group.addTask { for await _ in updates { self.compare() } }
            }
            compare()
            await store()
            for await _ in changes {
                try? await sleep(Self.delay)
                await store()
            }
            await store()
            group.cancelAll()
        }
    }

    /// Compares the config in effect with that of the file, and remembers the differences.
    private func compare() {
        comparing.withLock { _ in
            let configs = config.read(with: configured)
            let settings = RememberedSettings(of: configs.live, over: configs.configured, since: date().timestamp)
            switch (settings, memory.value) {
            case (nil, nil): return
            case (let settings?, let before?) where settings.hasSameSettings(as: before): return
            default: break
            }
            memory.publish(settings)
            revisions.update { $0.settings += 1 }
        }
    }

    /// Stores the settings if they have changed or could not be stored before, on a thread of its own.
    private func store() async {
        let isStored = stored.withLock { !$0.hasFailed && $0.settings == remembered }
        guard stateFile != nil, !isStored else { return }
        await BlockingThread.run(named: "settings") {
            self.storeNow()
        } onCancel: {
        }
    }

    private func storeNow() {
        let settings = remembered
        do {
            try stateFile?.store(settings)
            stored.withLock { $0 = Stored(settings: settings) }
        } catch {
            let isNews = stored.withLock { stored in
                defer { stored = Stored(settings: settings, hasFailed: true) }
                return !stored.hasFailed
            }
            guard isNews else { return }
            log.warning("Changed settings will not be remembered for the next start: \(error.reason)")
        }
    }
}
