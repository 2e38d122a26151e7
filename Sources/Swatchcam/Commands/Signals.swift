// Dispatch's signal sources are thread-safe, and not marked so.
@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, as events.
final class Signals: Sendable {
    /// How long a stop may take. It takes some tenths of a second; what hangs by then would hang for ever.
    private static let longestStop = 5.0
    /// Of its own, so that signals are heard however busy all other threads are.
    private static let queue = DispatchQueue(label: "swatchcam.signals")

    /// SIGHUP came: look at the configuration.
    let reloads: AsyncStream<Void>

    private let stops: AsyncStream<Void>
    private let stopSources: [any DispatchSourceSignal]
    private let hangupSource: any DispatchSourceSignal

    /// From now on the signals end nothing by themselves.
    init() {
        let terminal = Terminal()
        let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.stops, self.reloads) = (stops, reloads)
        let stopNumbers = [SIGINT, SIGTERM]
        let first = Once()
        stopSources = stopNumbers.map { number in
            Self.source(number) {
                // Here, not where the stop is carried out: a second signal ends a program that hangs, too.
                for number in stopNumbers { signal(number, SIG_DFL) }
                // One that comes close behind the first may still come this way.
                if first.isTaken() { Self.end(by: number) }
                stop.yield()
                Self.queue.asyncAfter(deadline: .now() + Self.longestStop) { Self.end(by: number) }
            }
        }
        // It has two meanings, and both have to stay: a program that outlived its window would keep camera and port.
        hangupSource = Self.source(SIGHUP) {
            if terminal.isGone { stop.yield() } else { reload.yield() }
        }
    }

    /// Waits for a signal to stop; the next one ends the program at once.
    func next() async {
        for await _ in stops { return }
    }

    /// Ends the process as the signal does whose default action holds: on this thread, where Dispatch blocks it.
    private static func end(by number: Int32) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
        raise(number)
    }

    private static func source(_ number: Int32, _ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // The default action has to go, or the process ends before the source fires.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }
}

/// Whether something happens for the first time.
private final class Once: Sendable {
    private let taken = Atomic(false)

    /// False once.
    func isTaken() -> Bool { taken.exchange(true, ordering: .relaxed) }
}
