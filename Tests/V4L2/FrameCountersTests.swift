import Testing

@testable import V4L2

@Suite("Frame counters")
struct FrameCountersTests {
    @Test(
        "a gap in the sequence numbers counts as missing frames",
        arguments: [
            ([0, 1, 2, 3], 0), ([0, 1, 4], 2), ([7], 0), ([UInt32.max, 0, 1], 0), ([UInt32.max - 1, 1], 2),
            // A sequence that restarts.
            ([126, 127, 0, 1], 0), ([900_000, 3, 4], 0),
        ] as [([UInt32], UInt64)])
    func gaps(sequences: [UInt32], missing: UInt64) {
        #expect(counters(after: sequences).missing == missing)
    }

    @Test("frames that a source skipped count as superseded, and not as missing")
    func skipped() {
        var counters = FrameCounters()
        counters.add(sequence: 3, superseded: 2)
        counters.add(sequence: 5)
        #expect(counters.delivered == 4)
        #expect(counters.superseded == 2)
        #expect(counters.missing == 1)
        (counters.flagged, counters.empty) = (4, 8)
        #expect(counters.dropped == 15)
    }

    private func counters(after sequences: [UInt32]) -> FrameCounters {
        var counters = FrameCounters()
        for sequence in sequences { counters.add(sequence: sequence) }
        return counters
    }
}
