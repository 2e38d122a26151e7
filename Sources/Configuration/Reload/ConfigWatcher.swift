package import Handoff
import Inotify
package import Logging

/// Reloads the configuration file whenever it may have changed, and on request.
package struct ConfigWatcher: Sendable {
    /// The maximum number of attempts to follow the links while they change. A further change causes another reload.
    private static let maxAttempts = 4

    let reloader: ConfigReloader
    let notices: Notices
    /// The time for which a notice of an edit is shown, in seconds. It is longer if readings, which carry it, are rare.
    var noticeTime = 10.0
    let log: Logger

    package init(reloader: ConfigReloader, notices: Notices, noticeTime: Double = 10.0, log: Logger) {
        self.reloader = reloader
        self.notices = notices
        self.noticeTime = noticeTime
        self.log = log
    }

    /// Watches the file until the task is cancelled.
    /// - Parameter requests: Each one reloads the file, whether it has changed or not.
    package func run(_ requests: AsyncStream<Void>) async {
        let watch = makeWatch()
        let (checks, check) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The file may have changed between the start of the program and the start of the watch.
        check.yield()
        await withTaskGroup { group in
            if let watch {
                group.addTask {
                    for await _ in watch.changes { check.yield() }
                }
            }
            group.addTask { [log] in
                // A process that may send one signal may send a thousand a second.
                let log = RateLimitedLogger(log)
                for await _ in requests {
                    log.log(.info, "SIGHUP: re-reading the configuration.", isEvent: true)
                    check.yield()
                }
            }
            group.addTask { await follow(checks, watch) }
        }
    }

    private func makeWatch() -> DirectoryWatch? {
        do throws(WatchError) {
            return try DirectoryWatch()
        } catch {
            warn(error)
            return nil
        }
    }

    private func follow(_ checks: AsyncStream<Void>, _ watch: DirectoryWatch?) async {
        var withdrawal: Task<Void, Never>?
        var reported: [WatchError] = []
        for await _ in checks {
            // The watch must be set up before the file is read, so that no later change is missed.
            let problems = watch.map(setUp) ?? []
            for problem in problems where !reported.contains(problem) { warn(problem) }
            reported = problems
            guard let message = reloader.reload() else { continue }
            withdrawal?.cancel()
            withdrawal = Task { await withdrawLater(message) }
        }
        withdrawal?.cancel()
    }

    /// Watches the links and folders that lead to each candidate file.
    /// - Returns: The reasons why edits may not be detected.
    private func setUp(_ watch: DirectoryWatch) -> [WatchError] {
        for _ in 0..<Self.maxAttempts {
            let chains = reloader.paths.map(SymlinkChain.init)
            let steps = chains.flatMap(\.steps)
            let problems = watch.replace(with: chains.flatMap(\.folders))
            guard reloader.paths.map(SymlinkChain.init) == chains else { continue }
            return problems.sorted { $0.key < $1.key }.filter { steps[$0.key].isLast && !$0.value.isNotFound }.map(
                \.value)
        }
        return []
    }

    private func warn(_ error: WatchError) {
        log.warning("Edits to the configuration are not detected: \(error). Send SIGHUP after each edit.")
    }

    /// Withdraws a notice after it has been shown for some time.
    private func withdrawLater(_ message: String) async {
        let seconds = max(noticeTime, 2.5 / reloader.settings.value.effective.readings.rate)
        guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
        notices.withdraw(message, about: .configuration)
    }
}
