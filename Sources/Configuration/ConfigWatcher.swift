package import Handoff
import Inotify
package import Logging

/// Has the configuration file looked at whenever it may have changed, and whenever it is asked to.
package struct ConfigWatcher: Sendable {
    /// Links may change while they are followed; whoever changes them so often will do so again.
    private static let mostAttempts = 4

    let config: ConfigReloader
    let notices: Notices
    /// For a person to read what was applied, in seconds; longer if readings, which carry it, are rarer.
    var noticeTime = 10.0
    let log: Logger

    package init(config: ConfigReloader, notices: Notices, noticeTime: Double = 10.0, log: Logger) {
        self.config = config
        self.notices = notices
        self.noticeTime = noticeTime
        self.log = log
    }

    /// Runs until the task is cancelled.
    /// - Parameter requests: Each has the file looked at, whether it was seen to change or not.
    package func run(_ requests: AsyncStream<Void>) async {
        let watch = makeWatch()
        let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // What was edited since the program read it, before anything was watched.
        look.yield()
        await withTaskGroup { group in
            if let watch {
                group.addTask {
                    for await _ in watch.changes { look.yield() }
                }
            }
            group.addTask { [log] in
                // Whoever may send one may send a thousand a second.
                var limiter = LogRateLimiter()
                for await _ in requests {
                    for line in limiter.lines(for: "SIGHUP: re-reading the configuration.", isEvent: true) {
                        log.info("\(line)")
                    }
                    look.yield()
                }
            }
            group.addTask { await follow(looks, watch) }
        }
    }

    private func makeWatch() -> DirectoryWatch? {
        do throws(WatchError) {
            return try DirectoryWatch()
        } catch {
            printError(error)
            return nil
        }
    }

    private func follow(_ looks: AsyncStream<Void>, _ watch: DirectoryWatch?) async {
        var fading: Task<Void, Never>?
        var complaints: [WatchError] = []
        for await _ in looks {
            // Before the file is read: what changes from here on is told.
            let problems = watch.map(setUp) ?? []
            for problem in problems where !complaints.contains(problem) { printError(problem) }
            complaints = problems
            guard let message = config.reload() else { continue }
            fading?.cancel()
            fading = Task { await fade(message) }
        }
        fading?.cancel()
    }

    /// Watches the way to each file that matters now.
    /// - Returns: Why edits of one may go unnoticed.
    private func setUp(_ watch: DirectoryWatch) -> [WatchError] {
        for _ in 0..<Self.mostAttempts {
            let chains = config.paths.map(SymlinkChain.init)
            let steps = chains.flatMap(\.steps)
            let problems = watch.replace(with: chains.flatMap(\.folders))
            guard config.paths.map(SymlinkChain.init) == chains else { continue }
            return problems.sorted { $0.key < $1.key }.filter { steps[$0.key].isLast && !$0.value.isAbsence }.map(
                \.value)
        }
        return []
    }

    private func printError(_ error: WatchError) {
        log.warning("Edits of the configuration are not noticed: \(error). After an edit, send SIGHUP.")
    }

    /// Takes a sentence back when it has been there for a while.
    private func fade(_ message: String) async {
        let seconds = max(noticeTime, 2.5 / config.live.value.readings.rate)
        guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
        notices.withdraw(message, about: .configuration)
    }
}
