import Handoff

/// When the colour is sent. A change that has to wait is delayed and not lost: each call has the newest message.
struct StateSchedule {
    /// The shortest time between two messages, in seconds.
    static let minGap = 1.0
    /// The time after which a message is repeated, in seconds.
    static let repetition = 30.0

    /// The time between two messages while the colour changes only a little, in seconds.
    let interval: Double
    /// The difference ΔE00 above which a colour is sent at once.
    let change: Double
    private var last: (message: StateMessage, payload: [UInt8], time: MonotonicTime)?
    /// Whether the next message is sent in any case.
    private var isForced = true

    init(interval: Double, change: Double) {
        (self.interval, self.change) = (interval, change)
    }

    /// The time before which no message is sent; nil before the first.
    var opening: MonotonicTime? { last.map { $0.time + Self.minGap } }

    /// Has the next message sent whatever it contains.
    mutating func force() { isForced = true }

    /// Returns the payload to send now; nil if it is not yet time.
    mutating func next(_ message: StateMessage, at now: MonotonicTime) -> [UInt8]? {
        let payload = message.payload
        if let last {
            guard now >= last.time + Self.minGap else { return nil }
            let elapsed = now - last.time
            let isDue =
                isForced || message.differs(from: last.message, byMoreThan: change)
                || elapsed >= (payload == last.payload ? Self.repetition : interval)
            guard isDue else { return nil }
        }
        (last, isForced) = ((message, payload, now), false)
        return payload
    }
}
