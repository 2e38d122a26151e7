import Foundation

/// Tells systemd how the program is, as long as it runs.
///
/// The watchdog is fed when a reading has come and a request was answered since the last time, and not by a timer: what
/// makes a dashboard is that both still happen.
struct ServiceLife: Sendable {
    let manager: ServiceManager
    let readings: Latest<Reading>
    let client: StatusClient

    func run() async {
        manager.ready()
        var state: Reading.State?
        var fed: ContinuousClock.Instant?
        for await reading in readings.updates() {
            if reading.state != state {
                state = reading.state
                manager.status(Self.summary(reading))
            }
            guard let period = manager.watchdogPeriod else { continue }
            // Three times a period: one may fail, and the next is still in time.
            if let fed, ContinuousClock.now < fed + period / 3 { continue }
            // 503 is an answer, too: a camera that is gone does not come back by a restart.
            guard await client.get("/healthz") != nil else { continue }
            manager.feedWatchdog()
            fed = .now
        }
    }

    private static func summary(_ reading: Reading) -> String {
        guard reading.state.hasColor, let camera = reading.camera else {
            return reading.message ?? reading.state.label
        }
        return "\(reading.state.label): \(camera.name)"
    }
}
