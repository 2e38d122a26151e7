import FoundationEssentials

/// The newest marks, of which those of the program are also kept until they are written to a folder.
struct MarkList {
    /// The maximum number of marks.
    static let capacity = 1000
    /// The time in which an event has its picture, in seconds.
    private static let pictureTime = 5.0

    private var marks: [Mark] = []
    /// The marks of the program that have yet to be written. They have a list of their own, because others may take
    /// their place in the first one. Marks of clients are in no need of it: they are written before they are set.
    private var pending: [Mark] = []
    private var nextID = 1
    /// The subject of the newest mark; nil if no further change moves it.
    private var subject: String?

    /// An upper limit of the memory in use, in bytes. A scalar takes four at most, and names have 60.
    var byteCount: Int {
        [marks, pending].reduce(0) { sum, list in
            let events = list.count { $0.event != nil }
            return sum + list.count * (MemoryLayout<Mark>.stride + Mark.maxLength * 4 + 64) + events * (3 * 60 * 4 + 64)
        }
    }

    /// Adds a mark whose text was checked.
    /// - Parameters:
    ///   - subject: What was changed; nil if each change has its own mark.
    ///   - client: The network of the client that sets it; empty for the program.
    /// - Returns: The mark, which may be an earlier one that was moved.
    mutating func add(
        _ kind: Mark.Kind, _ text: String, about subject: String? = nil, by client: String = "", at time: Date,
        event: Mark.Event? = nil
    ) -> Mark {
        if var newest = marks.last, newest.kind == kind, let subject, subject == self.subject,
            0...Mark.movingTime ~= time.timeIntervalSince(newest.time)
        {
            newest.time = time
            newest.text = text
            marks[marks.count - 1] = newest
            // A mark that can be moved has not been written.
            if let last = pending.indices.last { pending[last] = newest }
            return newest
        }
        let mark = Mark(id: nextID, time: time, kind: kind, text: text, client: client, event: event)
        nextID += 1
        self.subject = subject
        marks.append(mark)
        marks.keepNewest(Self.capacity)
        if !mark.source.isClient {
            pending.append(mark)
            pending.keepNewest(Self.capacity)
        }
        return mark
    }

    /// Returns the mark with a number that a client has set; nil if there is none.
    func mark(ofClient id: Int) -> Mark? { marks.first { $0.id == id && $0.kind == .user } }

    /// Adds the address of its picture to the mark of an event, and returns it; nil if it is gone.
    mutating func setPicture(_ address: String, of id: Int) -> Mark? {
        if let index = pending.lastIndex(where: { $0.id == id }) { pending[index].event?.picture = address }
        guard let index = marks.lastIndex(where: { $0.id == id }) else { return nil }
        marks[index].event?.picture = address
        return marks[index]
    }

    /// Removes the mark with a number.
    mutating func remove(_ id: Int) { marks.removeAll { $0.id == id } }

    /// Adds marks of an earlier run before all others, as far as there is room, and gives them numbers.
    mutating func restore(_ older: [Mark]) {
        let older = older.map { mark in
            defer { nextID += 1 }
            return Mark(id: nextID, time: mark.time, kind: mark.kind, text: mark.text, event: mark.event)
        }
        marks = older + marks
        marks.keepNewest(Self.capacity)
    }

    /// Returns the marks that have yet to be written, in the order in which they were set.
    /// - Parameter isLast: Whether nothing is written later. Otherwise a mark that may still be moved is left out.
    mutating func pending(at now: Date, isLast: Bool) -> [Mark] {
        // Their pictures may be under way.
        if !isLast,
            let young = pending.firstIndex(where: {
                $0.event != nil && 0...Self.pictureTime ~= now.timeIntervalSince($0.time)
            })
        {
            return Array(pending[..<young])
        }
        guard let newest = pending.last, newest.id == marks.last?.id, subject != nil else { return pending }
        guard isLast || abs(now.timeIntervalSince(newest.time)) > Mark.movingTime else { return pending.dropLast() }
        // It must not change while it is being written.
        subject = nil
        return pending
    }

    /// Removes marks that were written, up to the one with a number.
    mutating func removePending(through id: Int) { pending.removeAll { $0.id <= id } }

    /// Returns the marks of a range of time, in the order in which they were set.
    func marks(in range: ClosedRange<Date>) -> [Mark] { marks.filter { range ~= $0.time } }
}

extension [Mark] {
    /// Removes the oldest marks of those who have set the most, until no more than a number of marks is left.
    ///
    /// Half of the places belong to the program and half to clients, and each half may use places that the other leaves
    /// free. In each half, the marks of the source that has the most there are the first to go, so that no client can
    /// push out the marks of the program or of another client, nor one kind of change the marks of another.
    package mutating func keepNewest(_ capacity: Int) {
        guard count > capacity else { return }
        var surplus: [Mark.Source: Int] = [:]
        let clients = count { $0.source.isClient }
        for (isClient, own) in [(true, clients), (false, count - clients)] {
            let room = Swift.max(capacity / 2, capacity - (count - own))
            guard own > room else { continue }
            var counts: [Mark.Source: (count: Int, first: Int)] = [:]
            for (index, mark) in enumerated() where mark.source.isClient == isClient {
                counts[mark.source, default: (0, index)].count += 1
            }
            for _ in room..<own {
                // Of two sources with as many marks, the one that has the older one loses it.
                guard let most = counts.max(by: { ($0.value.count, $1.value.first) < ($1.value.count, $0.value.first) })
                else { break }
                counts[most.key]?.count -= 1
                surplus[most.key, default: 0] += 1
            }
        }
        self = filter { mark in
            guard let left = surplus[mark.source], left > 0 else { return true }
            surplus[mark.source] = left - 1
            return false
        }
    }
}
