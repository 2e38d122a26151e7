// Dispatch's signal sources are thread-safe but not marked as such.
@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

/// The signals SIGINT, SIGTERM and SIGHUP as events.
final class Signals: Sendable {
    /// The maximum duration of a stop in seconds. A stop normally takes some tenths of a second; one that takes longer
    /// hangs.
    private static let longestStop = 5.0
    /// A separate queue, so that signals are handled however busy all other threads are.
    private static let queue = DispatchQueue(label: "swatchcam.signals")

    /// An element for each SIGHUP, which requests a reload of the configuration.
    let reloads: AsyncStream<Void>

    private let stops: AsyncStream<Void>
    private let stopSources: [any DispatchSourceSignal]
    private let hangupSource: any DispatchSourceSignal

    /// Takes over the signals, which from then on no longer end the process by themselves.
    init() {
        let terminal = Terminal()
        let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.stops, self.reloads) = (stops, reloads)
        let stopNumbers = [SIGINT, SIGTERM]
        let first = Once()
        stopSources = stopNumbers.map { number in
            Self.source(number) {
                // This happens here and not where the stop is carried out, so that a second signal ends even a program
                // that hangs.
                for number in stopNumbers { signal(number, SIG_DFL) }
                // A signal that follows closely may still be delivered here.
                if first.isTaken() { Self.end(by: number) }
                stop.yield()
                Self.queue.asyncAfter(deadline: .now() + Self.longestStop) { Self.end(by: number) }
            }
        }
        // SIGHUP has two meanings that both matter: a program that outlived its terminal would keep the camera and the
        // port.
        hangupSource = Self.source(SIGHUP) {
            if terminal.isGone { stop.yield() } else { reload.yield() }
        }
    }

    /// Waits for a signal to stop; a second signal exits immediately.
    func next() async {
        for await _ in stops { return }
    }

    /// Ends the process by the signal's default action, after unblocking the signal on this thread, where Dispatch
    /// blocks it.
    private static func end(by number: Int32) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
        raise(number)
    }

    private static func source(_ number: Int32, _ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // Without this, the default action would end the process before the source fires.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }
}

/// A flag that tells the first use from all later ones.
private final class Once: Sendable {
    private let taken = Atomic(false)

    /// Returns false the first time, and true from then on.
    func isTaken() -> Bool { taken.exchange(true, ordering: .relaxed) }
}
