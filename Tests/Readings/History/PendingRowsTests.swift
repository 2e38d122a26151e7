import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("The rows that wait to be written")
struct PendingRowsTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    private let rows = PendingRows()

    private func note(_ seconds: Int) throws {
        rows.add(
            try #require(.grey(100, at: Self.midnight + Double(seconds))),
            of: Reading(time: Self.midnight + Double(seconds), state: .live))
    }

    /// The seconds of the rows that are complete.
    private var times: [Int] { rows.batch.rows.map { Int($0.time.timeIntervalSince(Self.midnight)) } }

    @Test("no rows are gathered while nothing is recorded, and those that wait are dropped when recording ends")
    func off() throws {
        for isRecording in [false, true] {
            if isRecording { rows.begin(every: 1) }
            try note(0)
            rows.finish()
            #expect(times == (isRecording ? [0] : []))
        }
        rows.end()
        try note(1)
        rows.finish()
        #expect(times.isEmpty)
    }

    @Test("rows that were written are removed, and those that came meanwhile stay")
    func remove() throws {
        rows.begin(every: 1)
        for second in 0...3 { try note(second) }
        let batch = rows.batch
        try note(4)
        rows.remove(before: batch.first + batch.rows.count)
        #expect(times == [3])
    }

    @Test("if too many rows wait, the oldest are dropped, and no others are removed in their place")
    func capacity() throws {
        rows.begin(every: 1)
        for second in 0...8640 { try note(second) }
        let batch = rows.batch
        #expect(batch.rows.count == 8640)
        try note(8641)
        #expect(times.first == 1)
        rows.remove(before: batch.first + 2)
        #expect(times.first == 2)
    }

    @Test("another interval begins with a new row")
    func otherLength() throws {
        rows.begin(every: 10)
        try note(1)
        rows.begin(every: 2)
        try note(5)
        rows.finish()
        #expect(times == [0, 4])
    }
}
