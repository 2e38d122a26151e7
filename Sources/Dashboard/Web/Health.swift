import FlyingFox
import Foundation
import Readings

/// Whether readings are fresh, as `/healthz` says it.
struct Health: Sendable {
    /// Longest age of a fresh reading: three periods of the readings or of the frames, whichever is longer, and never
    /// less than two seconds.
    let freshness: TimeInterval

    /// - Parameters:
    ///   - rate: readings per second.
    ///   - framePeriod: the time from one frame to the next, in seconds: a camera may deliver more rarely than readings
    ///     are wanted.
    init(rate: Double, framePeriod: Double) {
        freshness = max(2, rate > 0 ? 3 / rate : .infinity, 3 * framePeriod)
    }

    /// Why a reading is no sign of health; nil when it is one.
    func problem(with reading: Reading, at now: Date) -> HTTPError? {
        guard reading.state.hasColor else {
            return refusal(reading.state.rawValue, reading.message ?? "There is no colour: \(reading.state.rawValue).")
        }
        // A reading from the future says that the clock was set back: how old it is cannot be known.
        let age = abs(now.timeIntervalSince(reading.time))
        guard age < freshness else {
            return refusal("stale", "The newest reading is \(String(format: "%.1f", age)) s old.")
        }
        return nil
    }

    private func refusal(_ code: String, _ message: String) -> HTTPError {
        HTTPError(status: .serviceUnavailable, code: code, message: message)
    }
}
