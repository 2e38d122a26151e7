import FoundationEssentials
import Untrusted

/// The newest marks.
struct MarkList {
    /// The greatest number of marks. A further one replaces the oldest.
    static let capacity = 1000

    private var marks = RingBuffer<Mark>(capacity: capacity)
    private var nextID = 1
    /// The subject of the newest mark; nil if no further change moves it.
    private var subject: String?

    /// An upper limit of the memory in use, in bytes. A scalar takes four at most.
    var byteCount: Int { marks.byteCount + marks.count * (Mark.maxLength * 4 + 32) }

    /// Adds a mark whose text was checked.
    /// - Parameter subject: What was changed; nil if each change has its own mark.
    /// - Returns: The mark, which may be an earlier one that was moved.
    mutating func add(_ kind: Mark.Kind, _ text: String, about subject: String? = nil, at time: Date) -> Mark {
        if var newest = marks.newest, newest.kind == kind, let subject, subject == self.subject,
            0...Mark.movingTime ~= time.timeIntervalSince(newest.time)
        {
            newest.time = time
            newest.text = text
            marks.replaceNewest(with: newest)
            return newest
        }
        let mark = Mark(id: nextID, time: time, kind: kind, text: text)
        nextID += 1
        self.subject = subject
        marks.append(mark)
        return mark
    }

    /// Adds marks of an earlier run before all others, as far as there is room, and gives them numbers.
    mutating func restore(_ older: [Mark]) {
        marks.prepend(
            older.suffix(Self.capacity).map { mark in
                defer { nextID += 1 }
                return Mark(id: nextID, time: mark.time, kind: mark.kind, text: mark.text, isRestored: true)
            })
    }

    /// Returns the marks of this run with a higher number, in the order in which they were set.
    func marks(after id: Int) -> [Mark] {
        var found: [Mark] = []
        marks.forEach { if $0.id > id, !$0.isRestored { found.append($0) } }
        return found
    }

    /// Returns the marks of a range of time, in the order in which they were set.
    func marks(in range: ClosedRange<Date>) -> [Mark] {
        var found: [Mark] = []
        marks.forEach { if range ~= $0.time { found.append($0) } }
        return found
    }
}
