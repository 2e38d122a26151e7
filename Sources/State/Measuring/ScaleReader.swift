import Documents
import FoundationEssentials
import Handoff
import Metrology
import Readings
import Storage
import Synchronization
import Untrusted

/// Reads scales when their time has come, and keeps what it finds as a sample and as an event.
package final class ScaleReader: Sendable {
    private let shared: SharedState
    /// The scales that are being read.
    private let underWay = Mutex<Set<Name>>([])

    package init(_ shared: SharedState) { self.shared = shared }

    private var timers: Latest<[ScaleTimer]?> { shared.scaleTimers.latest }

    /// Reads scales until the task is cancelled.
    package func run() async {
        reportMissed()
        let clocks = shared.clocks
        await withDiscardingTaskGroup { group in
            // The clock on the wall may be set at any time, so it says only how long to wait.
            var ends: [(timer: ScaleTimer, end: MonotonicTime)] = []
            while !Task.isCancelled {
                let changes = timers.updates()
                let timers = timers.value ?? []
                ends.removeAll { !timers.contains($0.timer) }
                for timer in timers where !ends.contains(where: { $0.timer == timer }) {
                    let wait = timer.due.timeIntervalSince(clocks.date())
                    ends.append((timer, clocks.now() + min(max(0, wait), timer.after)))
                }
                let now = clocks.now()
                for (timer, end) in ends where end <= now {
                    guard underWay.withLock({ $0.insert(timer.name).inserted }) else { continue }
                    group.addTask { await self.read(timer) }
                }
                let next = ends.filter { $0.end > now }.map { $0.end - now }.min() ?? ScaleTimer.waits.upperBound
                await withTimeout(.seconds(next), clocks: clocks) { await changes.first { _ in true } }
            }
            group.cancelAll()
        }
    }

    /// Reports the scales that should have been read while the program was not running.
    private func reportMissed() {
        let now = shared.clocks.date()
        for timer in timers.value ?? [] where timer.due < now {
            announce(timer, "it was due while Swatchcam was not running.")
        }
        timers.update { $0?.removeAll { $0.due < now } }
    }

    private func read(_ timer: ScaleTimer) async {
        do throws(MeasuringRefusal) {
            let sample = try await shared.takeSample(named: timer.label, of: timer.readings)
            let scale = sample.scales.first { $0.name == timer.name }
            announce(timer, scale?.sentence ?? "there is no such scale any more.", scale, sample)
        } catch {
            // When the program ends, the timer stays, and the next run reports it.
            guard !Task.isCancelled else { return }
            announce(timer, error.sentence)
        }
        underWay.withLock { _ = $0.remove(timer.name) }
        timers.update { $0?.removeAll { $0 == timer } }
    }

    private func announce(
        _ timer: ScaleTimer, _ sentence: String, _ scale: Reading.OnScale? = nil, _ sample: Sample? = nil
    ) {
        let event = Mark.Event(name: timer.name.text, to: scale?.found?.value?.scaleText, sample: sample?.id)
        shared.history.announce(
            .scale, "\(timer.label): \(sentence)".sanitized(limit: Mark.maxLength), event, with: shared.readings.value)
    }
}

extension Reading.OnScale {
    /// The value with its interval, or why there is none.
    fileprivate var sentence: String {
        guard let texts else { return reason ?? "there is no value." }
        let numbers = "\(texts.value) (\(texts.low) to \(texts.high))"
        return unit.isEmpty ? "\(numbers)." : "\(numbers) \(unit)."
    }
}

extension MeasuringRefusal {
    fileprivate var sentence: String {
        switch self {
        case .full: "no more samples are kept; delete some."
        case .failed(let failure): failure.sentence
        case .changed(let change): "\(change) while it was being read."
        case .notAdmitted: "it was not admitted."
        }
    }
}
