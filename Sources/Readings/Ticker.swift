import Handoff

/// Cuts time into ticks of one reading each, without drift: tick k begins k periods after the start.
///
/// The first frame of a tick is its reading. A tick that ends without a frame has a message all the same.
struct Ticker {
    /// Ticks per second.
    let rate: Double
    private let period: Double
    private let start: MonotonicTime
    /// The last tick that had its reading.
    private var served: Int64 = -1

    /// - Parameter rate: Ticks per second, above 0.
    init(rate: Double, start: MonotonicTime = .now()) {
        self.rate = rate
        period = 1 / rate
        self.start = start
    }

    /// When the next tick that has no reading yet ends.
    var deadline: MonotonicTime { time(of: served + 2) }

    /// Whether the tick of a moment still wants its reading.
    func isDue(at time: MonotonicTime) -> Bool { tick(at: time) > served }

    /// Whether a tick has ended without a reading.
    func isOverdue(at time: MonotonicTime) -> Bool { time >= deadline }

    /// Takes note that the tick of a moment has its reading.
    mutating func serve(at time: MonotonicTime) {
        served = max(served, tick(at: time))
    }

    /// Takes note that the tick that ended without a frame has its message. Ticks before it that were missed too (the
    /// machine slept) are over and get none.
    mutating func serveOverdue(at time: MonotonicTime) {
        served = max(served + 1, tick(at: time) - 1)
    }

    private func tick(at time: MonotonicTime) -> Int64 {
        // A hair of tolerance: the start of tick k, computed, must be in tick k.
        Int64(((time - start) / period + 1e-6).rounded(.down))
    }

    private func time(of tick: Int64) -> MonotonicTime {
        start + Double(tick) * period
    }
}
