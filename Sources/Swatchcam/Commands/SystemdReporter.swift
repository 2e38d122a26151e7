import Dashboard
import Foundation
import Handoff
import Readings

/// Tells systemd how the program is, as long as it runs.
///
/// The watchdog is fed when a reading has come and a request was answered since the last time, and not by a timer: what
/// makes a dashboard is that both still happen.
struct SystemdReporter: Sendable {
    let manager: SystemdNotifier
    let readings: Latest<Reading>
    let client: StatusClient

    func run() async {
        manager.ready()
        await withTaskGroup { group in
            group.addTask { await tellStatus() }
            group.addTask { await feedWatchdog() }
        }
    }

    private func tellStatus() async {
        let updates = readings.updates()
        // One that came before this listened may be the only one for a minute.
        var told = readings.value
        manager.status(Self.summary(told))
        for await reading in updates where reading.state != told.state {
            told = reading
            manager.status(Self.summary(reading))
        }
    }

    private func feedWatchdog() async {
        guard let period = manager.watchdogPeriod else { return }
        var fed = readings.value.sequence
        repeat {
            // 503 is an answer, too: a camera that is gone does not come back by a restart. While nobody watches, it is
            // this question that has a reading made.
            guard await client.isAnswered("/healthz") else { continue }
            let newest = readings.value.sequence
            guard newest != fed else { continue }
            manager.feedWatchdog()
            fed = newest
            // Three times a period: one may fail, and the next is still in time.
        } while (try? await Task.sleep(for: period / 3)) != nil
    }

    private static func summary(_ reading: Reading) -> String {
        guard reading.state.hasColor, let camera = reading.camera else {
            return reading.message ?? reading.state.label
        }
        return "\(reading.state.label): \(camera.name)"
    }
}
