import FoundationEssentials
import Handoff
import Metrology
import Pixels
import Untrusted

/// Derives the marks of events from readings: a camera that is lost and back, an area whose state has changed, a light,
/// and a picture that has moved.
///
/// What was reported last is compared with what holds now. If there are too many changes, some are left out, but the
/// last one is reported as soon as there is room again.
struct EventMarker {
    /// A mark to be set.
    struct Entry: Equatable {
        var kind: Mark.Kind
        var text: String
        var event: Mark.Event?
    }

    /// What can have events of its own.
    private enum Subject: Hashable {
        case camera, picture, region
        case probe(Name)
        case light(Name)
    }

    /// The events of one subject at once, and the time for each further one; and those of all subjects together: as many
    /// as have room with their pictures, of about 35 KB, for a day.
    private static let (burst, period) = (10.0, Duration.seconds(30))
    private static let (totalBurst, totalPeriod) = (60.0, Duration.seconds(15))

    private var presence = PresenceMarker()
    /// The names of the states that were reported last; nil if none matched.
    private var states: [Subject: String?] = [:]
    private var lights: [Name: Debouncer<LightState.Word>] = [:]
    private var moved = Debouncer(false)
    private var rooms: [Subject: TokenBucket] = [:]
    private var total: TokenBucket?

    /// Returns the marks that a reading calls for.
    /// - Parameter hold: The time for which a change has to hold, in seconds.
    mutating func marks(for reading: Reading, hold: Double, at now: MonotonicTime) -> [Entry] {
        var entries: [Entry] = []
        let hasRoom = hasRoom(for: .camera, at: now)
        if let entry = presence.mark(for: reading, mayLose: hasRoom) {
            if entry.kind == .lost { _ = takeRoom(for: .camera, at: now) }
            entries.append(entry)
        }
        guard reading.state.hasColor else {
            // What holds after a gap has to hold anew.
            for name in lights.keys { lights[name]?.interrupt() }
            moved.interrupt()
            return entries
        }
        forget(allBut: reading.probes)
        entries += stateMark(of: .region, named: nil, reading.regionState, reading.hasHeldState, at: now)
        for color in reading.probes {
            let name = color.probe.name
            entries += stateMark(of: .probe(name), named: name, color.state, color.hasHeldState, at: now)
            if let word = color.light?.word, word != .unknown {
                entries += lightMark(of: name, word, hold: hold, at: now)
            }
        }
        entries += movedMark(reading, hold: hold, at: now)
        return entries
    }

    private mutating func stateMark(
        of subject: Subject, named name: Name?, _ state: AreaState?, _ hasHeld: Bool, at now: MonotonicTime
    ) -> [Entry] {
        guard hasHeld else { return [] }
        let word = state?.name
        // The first one is where changes begin.
        guard let before = states.updateValue(word, forKey: subject), before != word else { return [] }
        guard takeRoom(for: subject, at: now) else {
            states[subject] = .some(before)
            return []
        }
        return [change(.state, of: name, from: before, to: word, isLast: !hasRoom(for: subject, at: now))]
    }

    private mutating func lightMark(
        of name: Name, _ word: LightState.Word, hold: Double, at now: MonotonicTime
    ) -> [Entry] {
        var light = lights[name] ?? Debouncer()
        defer { lights[name] = light }
        guard let before = light.add(word, hold: hold, at: now) else { return [] }
        guard takeRoom(for: .light(name), at: now) else {
            light.restore(before)
            return []
        }
        return [
            change(
                .light, of: name, from: before.rawValue, to: word.rawValue,
                isLast: !hasRoom(for: .light(name), at: now))
        ]
    }

    private mutating func movedMark(_ reading: Reading, hold: Double, at now: MonotonicTime) -> [Entry] {
        let flag = reading.quality?.flags.first { $0.code == .moved }
        guard moved.add(flag != nil, hold: hold, at: now) != nil, let flag else { return [] }
        guard takeRoom(for: .picture, at: now) else {
            moved.restore(false)
            return []
        }
        return [Entry(kind: .moved, text: flag.message.sanitized(limit: Mark.maxLength), event: Mark.Event())]
    }

    /// - Parameter isLast: Whether there is no room for a further event of the subject.
    private func change(_ kind: Mark.Kind, of name: Name?, from: String?, to: String?, isLast: Bool) -> Entry {
        let subject = name.map { "\($0.text): " } ?? ""
        let text = "\(subject)\(from ?? "no match") → \(to ?? "no match")"
        let note = isLast ? " (it changes often: the next event comes in half a minute)" : ""
        return Entry(
            kind: kind, text: text.sanitized(limit: Mark.maxLength - note.count) + note,
            event: Mark.Event(name: name?.text, from: from, to: to))
    }

    private func hasRoom(for subject: Subject, at now: MonotonicTime) -> Bool {
        [total, rooms[subject]].allSatisfy { $0.map { $0.level(at: now) >= 1 } ?? true }
    }

    private mutating func takeRoom(for subject: Subject, at now: MonotonicTime) -> Bool {
        var all = total ?? TokenBucket(capacity: Self.totalBurst, period: Self.totalPeriod, at: now)
        var own = rooms[subject] ?? TokenBucket(capacity: Self.burst, period: Self.period, at: now)
        guard hasRoom(for: subject, at: now), own.take(at: now), all.take(at: now) else { return false }
        (total, rooms[subject]) = (all, own)
        return true
    }

    /// Forgets probes that are gone.
    private mutating func forget(allBut probes: [Reading.ProbeColor]) {
        let count = states.count + lights.count + rooms.count
        guard count > 3 * probes.count + 4 || probes.isEmpty && count > 0 else { return }
        let names = Set(probes.map(\.probe.name))
        func isThere(_ subject: Subject) -> Bool {
            switch subject {
            case .probe(let name), .light(let name): names.contains(name)
            default: true
            }
        }
        states = states.filter { isThere($0.key) }
        lights = lights.filter { names.contains($0.key) }
        rooms = rooms.filter { isThere($0.key) }
    }
}

/// A follower of a value that counts once it has held.
///
/// A value that has changed again and again has to hold for longer, so that something that blinks does not change with
/// each blink.
struct Debouncer<Value: Equatable & Sendable>: Sendable {
    /// The time within which a further change makes the value restless, and for which it then has to hold, in seconds:
    /// the longest half of a period with which blinking is recognised.
    private static var restlessTime: Double { 8 }

    /// The value that has held; nil before the first.
    private var value: Value?
    private var candidate: (value: Value, start: MonotonicTime, isRestless: Bool)?
    /// Whether the candidate has followed another one.
    private var hasChanged = false

    init(_ value: Value? = nil) { self.value = value }

    /// Takes the newest value.
    /// - Returns: The value before, if the newest has held and is another one; nil if it is the first.
    mutating func add(_ newest: Value, hold: Double, at now: MonotonicTime) -> Value? {
        if candidate?.value != newest {
            let isRestless = hasChanged && candidate.map { now - $0.start < Self.restlessTime } ?? false
            hasChanged = candidate != nil
            candidate = (newest, now, isRestless)
        }
        guard let candidate, newest != value,
            now - candidate.start >= (candidate.isRestless ? max(hold, Self.restlessTime) : hold)
        else { return nil }
        defer { value = newest }
        return value
    }

    /// Takes a value back that could not be reported, so that it is reported later.
    mutating func restore(_ before: Value) { value = before }

    /// Notices that values are missing: what comes next has to hold anew.
    mutating func interrupt() { (candidate, hasChanged) = (nil, false) }
}
