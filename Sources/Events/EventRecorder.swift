import Configuration
import FoundationEssentials
import Handoff
import Logging
import Readings
package import State
import Storage

/// Adds to each event the picture of its moment, and passes it on to those who send it.
package final class EventRecorder: Sendable {
    /// The time that a picture may take, in seconds. It is also the time by which an event is sent later.
    private static let timeout = Duration.seconds(2)
    /// The time after which pictures that have become too old are removed, without a new one.
    private static let pruning = Duration.seconds(3600)

    private let shared: SharedState
    private let log: RateLimitedLogger

    package init(_ shared: SharedState) {
        self.shared = shared
        log = RateLimitedLogger(shared.log, remembering: 20, clocks: shared.clocks)
    }

    /// Passes events on until the task is cancelled.
    package func run() async {
        // Events of one reading share its picture.
        var last: (reading: UInt64, address: String?)?
        await prune()
        while !Task.isCancelled {
            let news = await withTimeout(Self.pruning, clocks: shared.clocks) { await self.shared.events.news.next() }
            guard let (number, event) = news else {
                await prune()
                continue
            }
            shared.events.news.remove(number)
            var complete = event
            if last?.reading != event.sequence {
                last = (event.sequence, await picture(of: event))
            }
            if let address = last?.address {
                complete.mark = shared.history.setPicture(address, ofMark: event.mark.id) ?? event.mark
                if let sample = event.mark.event?.sample { await shared.samples.setPicture(address, of: sample) }
            }
            shared.events.publish(complete)
        }
    }

    /// The maximum size of all pictures, in bytes.
    private var maxSize: Int { shared.config.value.effective.events.picturesMaxSize * 1_000_000 }

    private func prune() async {
        let (pictures, now, maxSize) = (shared.eventPictures, shared.clocks.date(), maxSize)
        await onThread { () throws(EventPictures.Problem) in
            try pictures.prune(now: now, upTo: maxSize)
            return nil
        }
    }

    /// Takes the picture of an event, and keeps it.
    /// - Returns: Its address below that of the pages; nil if there is none.
    private func picture(of event: Event) async -> String? {
        let maxSize = maxSize
        guard maxSize > 0, shared.eventPictures.canStore, event.hasColor,
            let subscription = shared.pictures.join(.live),
            let picture = await subscription.next(within: Self.timeout)
        else { return nil }
        let (pictures, now) = (shared.eventPictures, shared.clocks.date())
        let name = await onThread { () throws(EventPictures.Problem) in
            try pictures.store(picture.data, at: event.mark.time, now: now, upTo: maxSize)
        }
        return name.map { "api/events/\($0)" }
    }

    @discardableResult
    private func onThread(
        _ work: @escaping @Sendable () throws(EventPictures.Problem) -> String?
    ) async -> String? {
        let result = Latest(String?.none)
        await BlockingThread.run(named: "event pictures") { [log] in
            do throws(EventPictures.Problem) {
                result.publish(try work())
                log.report(nil)
            } catch {
                log.report("The picture of an event is not kept. \(error.description)")
            }
        }
        return result.value
    }
}
