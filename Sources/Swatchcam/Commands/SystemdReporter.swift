import Dashboard
import FoundationEssentials
import Handoff
import Readings

/// A task that reports the program's state to systemd as long as it runs.
///
/// The watchdog is fed only if a reading was made and a request was answered since the last time. Feeding it by a timer
/// alone would not prove that the dashboard works.
struct SystemdReporter: Sendable {
    let manager: SystemdNotifier
    let readings: Latest<Reading>
    let client: StatusClient
    /// Waits between two attempts to feed the watchdog.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func run() async {
        manager.ready()
        await withTaskGroup { group in
            group.addTask { await reportStatus() }
            group.addTask { await feedWatchdog() }
        }
    }

    private func reportStatus() async {
        let updates = readings.updates()
        // A reading published before this task began to listen may be the only one for a minute.
        var reported = readings.value
        manager.status(Self.summary(reported))
        for await reading in updates where reading.state != reported.state {
            reported = reading
            manager.status(Self.summary(reading))
        }
    }

    private func feedWatchdog() async {
        guard let period = manager.watchdogPeriod else { return }
        var last = readings.value.sequence
        repeat {
            // 503 counts as an answer: a restart does not bring a missing camera back. While nobody watches, this
            // request causes a reading to be made.
            guard await client.isAnswered("/healthz") else { continue }
            let newest = readings.value.sequence
            guard newest != last else { continue }
            manager.feedWatchdog()
            last = newest
            // There are three attempts in a period, so that the next one is in time if one fails.
        } while (try? await sleep(period / 3)) != nil
    }

    static func summary(_ reading: Reading) -> String {
        guard reading.state.hasColor, let camera = reading.camera else {
            return reading.message ?? reading.state.label
        }
        return "\(reading.state.label): \(camera.name)"
    }
}
