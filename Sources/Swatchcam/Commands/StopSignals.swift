// Dispatch's signal sources are thread-safe, and not marked so.
@unsafe @preconcurrency import Dispatch
import Foundation

/// SIGINT and SIGTERM, as events.
final class StopSignals: Sendable {
    private let events: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// From now on the signals end nothing by themselves.
    init() {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        sources = [SIGINT, SIGTERM].map { number in
            // The default action has to go, or the process ends before the source fires.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
    }

    /// Waits for a signal.
    func next() async {
        for await _ in events { return }
    }

    /// Lets the next signal end the program at once.
    func exitOnNext() {
        for source in sources { source.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}
