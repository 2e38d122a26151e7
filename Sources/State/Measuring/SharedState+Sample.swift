import Configuration
import Handoff
package import Readings
import Storage
package import V4L2

/// The reason why nothing was measured.
package enum MeasuringRefusal: Error, Equatable, Sendable {
    /// There are as many samples as are kept; only `takeSample` throws it.
    case full
    /// Readings were not available.
    case failed(SampleTaker.Failure)
    /// Something that the sample depends on was changed while it was being taken: the beginning of a sentence.
    case changed(String)
    /// The client lost its access meanwhile.
    case notAdmitted
}

extension SharedState {
    /// Takes a sample and keeps it.
    /// - Parameters:
    ///   - name: A valid name; if it is empty, the sample is named after its number.
    ///   - count: The number of readings.
    ///   - clientIsGone: Waits until the client no longer waits, or the task is cancelled.
    ///   - isAdmitted: Returns whether the client still has access when the sample is complete.
    /// - Throws: The reason why there is none.
    package func takeSample(
        named name: String = "", of count: Int = Sample.defaultReadings,
        until clientIsGone: @escaping @Sendable () async -> Void = SampleTaker.untilCancelled,
        isAdmitted: () -> Bool = { true }
    ) async throws(MeasuringRefusal) -> Sample {
        guard !samples.list.isFull else { throw .full }
        let (collector, settings) = try await collectReadings(count, until: clientIsGone, isAdmitted: isAdmitted)
        let targets = config.value.effective.targets.map(\.colorTarget)
        let added = await samples.add { id in
            SampleName(name, id: id).flatMap {
                collector.sample(id: id, name: $0.text, controls: settings.valuesByName, targets: targets)
            }
        }
        guard let added else { throw .full }
        return added
    }

    /// Waits for readings of frames that are captured from now on, between which nothing is changed.
    /// - Returns: The readings, and the controls that they were made with.
    /// - Throws: The reason why there are none; see `takeSample`.
    package func collectReadings(
        _ count: Int, until clientIsGone: @escaping @Sendable () async -> Void, isAdmitted: () -> Bool
    ) async throws(MeasuringRefusal) -> (collector: SampleCollector, controls: [Control]) {
        let config = config.value.effective
        let before = controls.value.controls
        let collector: SampleCollector
        do throws(SampleTaker.Failure) {
            let taker = SampleTaker(readings: readings, demand: demand, clocks: clocks)
            collector = try await taker.take(
                count, in: config.readings.region, rate: config.readings.rate, frames: config.readings.frames,
                until: clientIsGone)
        } catch {
            throw .failed(error)
        }
        let current = self.config.value.effective
        guard current.readings == config.readings, current.camera == config.camera else {
            throw .changed("The configuration changed")
        }
        let settings = controls.value.controls
        if let label = settings.firstChangedLabel(since: before) { throw .changed("\(label) changed") }
        guard isAdmitted() else { throw .notAdmitted }
        return (collector, settings)
    }
}
