package import Foundation
package import Handoff
import Synchronization

/// A clock that stands still until a test moves it. It tells one time in the two forms that the program uses.
package final class ManualClock: Sendable {
    private struct State {
        var now = ManualClock.start
        var date: Date
    }

    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private let state: Mutex<State>

    /// Creates a clock.
    /// - Parameter date: The time of day at the start.
    package init(date: Date = Date(timeIntervalSince1970: 1_795_132_800)) {
        state = Mutex(State(date: date))
    }

    package var now: MonotonicTime { state.withLock { $0.now } }

    /// The time of day.
    package var date: Date { state.withLock { $0.date } }

    /// The clocks of the program, which show this clock's time. A task that sleeps continues when it is cancelled; a
    /// thread that waits moves the clock to its deadline.
    package var clocks: Clocks {
        var clocks = Clocks.withoutLimits
        clocks.now = { self.now }
        clocks.date = { self.date }
        clocks.wait = { _, deadline in
            self.advance(to: deadline)
            return false
        }
        return clocks
    }

    /// Moves the clock forward by a number of seconds.
    package func advance(by seconds: Double) {
        state.withLock { state in
            state.now = state.now + seconds
            state.date += seconds
        }
    }

    /// Moves the clock forward by a duration.
    package func advance(by duration: Duration) { advance(by: duration / .seconds(1)) }

    /// Moves the clock forward to a time. It does not go back.
    package func advance(to moment: MonotonicTime) { advance(by: max(0, moment - now)) }

    /// Sets the time of day alone, as its user does.
    package func set(_ date: Date) { state.withLock { $0.date = date } }
}

extension Clocks {
    /// The real clocks, but tasks sleep until they are cancelled: a test that waits for an answer does not fail because
    /// other tests occupy the threads of all tasks for longer than a time limit.
    package static let withoutLimits = Clocks().sleeping { _ in try await Task.sleep(for: .seconds(86_400)) }

    /// Returns these clocks with another way to sleep.
    package func sleeping(_ sleep: @escaping @Sendable (Duration) async throws -> Void) -> Clocks {
        var clocks = self
        clocks.sleep = sleep
        return clocks
    }
}
