import Handoff

/// The division of time into ticks of one reading each, without drift: tick k begins k periods after the start.
///
/// A tick's reading is that of its first frame. A tick that ends without a frame has a reading too.
struct Ticker {
    /// The number of ticks per second.
    let rate: Double
    private let period: Double
    private let start: MonotonicTime
    /// The last tick that has had its reading.
    private var served: Int64 = -1

    /// - Parameter rate: The number of ticks per second, above 0.
    init(rate: Double, start: MonotonicTime = .now()) {
        self.rate = rate
        period = 1 / rate
        self.start = start
    }

    /// The end of the next tick that has no reading yet.
    var deadline: MonotonicTime { time(of: served + 2) }

    /// Returns whether the tick at a time still needs its reading.
    func isDue(at time: MonotonicTime) -> Bool { tick(at: time) > served }

    /// Returns whether a tick has ended without a reading.
    func isOverdue(at time: MonotonicTime) -> Bool { time >= deadline }

    /// Records that the tick at a time has its reading.
    mutating func serve(at time: MonotonicTime) {
        served = max(served, tick(at: time))
    }

    /// Records that the tick that ended without a frame has its reading.
    ///
    /// Earlier ticks that were missed too, because the machine slept, get none.
    mutating func serveOverdue(at time: MonotonicTime) {
        served = max(served + 1, tick(at: time) - 1)
    }

    private func tick(at time: MonotonicTime) -> Int64 {
        // The tolerance puts the computed start of tick k into tick k in spite of rounding.
        Int64(((time - start) / period + 1e-6).rounded(.down))
    }

    private func time(of tick: Int64) -> MonotonicTime {
        start + Double(tick) * period
    }
}
