import FoundationEssentials
import Untrusted

/// The newest marks.
struct MarkList {
    /// The greatest number of marks. The oldest go.
    static let capacity = 1000
    /// The time within which further changes of the same thing move a mark instead of adding one, in seconds. A region
    /// is drawn, and a slider is moved, with many changes.
    static let movingTime = 2.0

    private var marks = RingBuffer<Mark>(capacity: capacity)
    private var nextID = 1
    /// The subject of the newest mark; nil if it stays where it is.
    private var subject: String?

    /// An upper limit of the memory in use, in bytes. A scalar has four at most.
    var byteCount: Int { marks.byteCount + marks.count * (Mark.maxLength * 4 + 32) }

    /// Adds a mark whose text was checked.
    /// - Parameter subject: What was changed; nil if each change has its own mark.
    /// - Returns: The mark, which may be an earlier one that was moved.
    mutating func add(_ kind: Mark.Kind, _ text: String, about subject: String? = nil, at time: Date) -> Mark {
        if var newest = marks.newest, newest.kind == kind, let subject, subject == self.subject,
            0...Self.movingTime ~= time.timeIntervalSince(newest.time)
        {
            newest.time = time
            newest.text = text
            marks.newest = newest
            return newest
        }
        let mark = Mark(id: nextID, time: time, kind: kind, text: text)
        nextID += 1
        self.subject = subject
        marks.append(mark)
        return mark
    }

    /// Returns the marks of a range of time, in the order in which they were set.
    func marks(in range: ClosedRange<Date>) -> [Mark] {
        var found: [Mark] = []
        marks.forEach { if range ~= $0.time { found.append($0) } }
        return found
    }
}
