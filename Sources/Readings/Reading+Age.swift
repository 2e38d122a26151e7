package import Handoff

extension Reading {
    /// The shortest time for which a colour counts as that of the moment, in seconds. A page counts from the moment at which
    /// it received the reading, and is stricter (`Resources/lib/feed.js`).
    private static let minLifetime = 3.0

    /// Returns the time from which the colour of a frame no longer counts as that of the moment: after three readings,
    /// after four frames, or after 3 s, whichever takes longest.
    /// - Parameters:
    ///   - time: The time of capture. One in the future is a driver's mistake, and counts as now.
    ///   - rate: The readings wanted per second.
    ///   - framePeriod: The time from one frame to the next, in seconds.
    static func expiry(
        ofFrameAt time: MonotonicTime, rate: Double, framePeriod: Double, now: MonotonicTime
    ) -> MonotonicTime {
        min(time, now) + max(minLifetime, rate > 0 ? 3 / rate : 0, 4 * framePeriod)
    }

    /// Returns the reading as it is to be answered, pushed, published or printed at a moment: without its colour if that
    /// has expired.
    ///
    /// Whatever goes wrong between the camera and a client, an old colour is never taken for that of the moment.
    package func asOf(_ now: MonotonicTime) -> Reading {
        guard state.hasColor, let expiry, now >= expiry else { return self }
        var reading = Reading(
            state: .lost,
            message: "No frame of the camera can be read any more. Swatchcam opens it again if that goes on.",
            camera: camera,
            judgement: Judgement(without: judgement.entries.map(\.target)),
            probes: probes.map { ProbeColor($0.probe, nil, against: $0.judgement.entries.map(\.target)) },
            scales: scales.map(\.withoutColor))
        (reading.sequence, reading.time, reading.since) = (sequence, time, time)
        (reading.effect, reading.region, reading.rate) = (effect, region, rate)
        (reading.delivered, reading.dropped, reading.parts) = (delivered, dropped, parts)
        reading.faults = faults
        (reading.notices, reading.revisions, reading.recording) = (notices, revisions, recording)
        reading.palette = palette
        return reading
    }
}
