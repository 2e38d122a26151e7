package import Documents
package import FoundationEssentials
import Untrusted

/// A moment in the history, with a text.
package struct Mark: Equatable, Sendable {
    /// The reason for a mark.
    package enum Kind: String, CaseIterable, JSONWritable, Sendable {
        /// A person set it.
        case user
        /// Another camera delivers the colour.
        case camera
        /// The automatic controls of the camera were locked or unlocked.
        case lock
        /// A control of the camera was set.
        case controls
        /// The region was changed.
        case region
        /// A target was set, changed or removed.
        case target
        /// The configuration file was edited.
        case configuration
        /// The colour was lost.
        case lost
        /// The colour is back.
        case back
        /// A recording began or ended.
        case recording
        /// The region or a probe has another state.
        case state
        /// A light was switched, or began to blink.
        case light
        /// The picture has moved.
        case moved
        /// A scale was read at the time that was asked for.
        case scale

        /// Whether such a mark is of something that happens by itself.
        package var isEvent: Bool { [.lost, .back, .state, .light, .moved, .scale].contains(self) }
    }

    /// What has happened by itself, as far as it is not in the text.
    package struct Event: Equatable, Sendable {
        /// The name of the probe or the scale; nil for the region, the camera and the picture.
        package var name: String?
        /// What was there before, in a word; nil if nothing was.
        package var from: String?
        package var to: String?
        /// The address of the picture of the moment, below that of the page; nil if there is none.
        package var picture: String?
        /// The number of the sample that gets the same picture; nil if there is none. It is not stored.
        package var sample: Int?

        package init(
            name: String? = nil, from: String? = nil, to: String? = nil, picture: String? = nil, sample: Int? = nil
        ) {
            (self.name, self.from, self.to, self.picture) = (name, from, to, picture)
            self.sample = sample
        }
    }

    /// The number of the mark, which no other one gets while the program runs; 0 before it is set.
    package let id: Int
    /// The moment, which further changes of the same thing may move.
    package internal(set) var time: Date
    package let kind: Kind
    /// One printable line.
    package internal(set) var text: String
    /// The network of the client that set it; empty if that is not known, or the program set it.
    package let client: String
    /// Nil for a mark of something that was done.
    package internal(set) var event: Event?

    package init(id: Int = 0, time: Date, kind: Kind, text: String, client: String = "", event: Event? = nil) {
        (self.id, self.time, self.kind, self.text, self.client) = (id, time, kind, text, client)
        self.event = event
    }

    /// One of those who set marks. Each has a share of the room for marks that no other one can use up.
    package enum Source: Hashable, Sendable {
        /// The program, which sets marks of several kinds for different reasons.
        case program(Kind)
        /// The program, which writes rows between the marks that say what readings depend on.
        case settings
        /// A client, by its network.
        case client(String)

        package var isClient: Bool { if case .client = self { true } else { false } }
    }

    package var source: Source { kind == .user ? .client(client) : .program(kind) }
}

extension Mark {
    /// The maximum number of characters in a text, counted as Unicode scalars.
    package static let maxLength = 200

    /// The time within which further changes of the same thing move a mark instead of adding one, in seconds. A region
    /// is drawn, and a slider is moved, with many changes.
    package static let movingTime = 2.0

    /// Returns the text of a mark as it is kept, without control characters and the like; nil if it is empty or too
    /// long.
    package static func text(_ text: String) -> String? {
        let trimmed = text.trimmed
        guard 1...maxLength ~= trimmed.unicodeScalars.count else { return nil }
        return trimmed.sanitized(limit: maxLength)
    }
}

extension Mark: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "from", .string.orNull,
            "Of an event: what was there before, such as the name of a target, in a word; null if nothing was."
        ) { $0.event?.from },
        .value("id", .integer(from: 1)) { $0.id },
        .value("kind", .words(of: Kind.self)) { $0.kind },
        .value(
            "name", .string.orNull,
            "Of an event: the probe or the scale; null for the region, the camera and the picture."
        ) { $0.event?.name },
        .value(
            "picture", .string.orNull,
            "Of an event: the address of its picture, relative to that of the page; null if there is none."
        ) { $0.event?.picture },
        .value("text", .string(1...maxLength)) { $0.text },
        .value("time", .time) { $0.time.timestamp },
        .value("to", .string.orNull, "Of an event: what is there now.") { $0.event?.to },
    ]
}

/// A table of comma-separated values with the marks of a day, and with rows for the settings that its readings depend
/// on.
package enum MarkCSV {
    /// The kind of the rows that are not marks.
    private static let settings = "settings"
    /// The kind of the rows that delete the mark of a client with the same time and text.
    private static let deleted = "deleted"

    /// The line with the names of the columns.
    package static var header: String { CSVFormat.standard.line(columns.map { .word($0) }) }

    private static let columns = ["time_iso", "kind", "text", "name", "from", "to", "picture"]

    package static func line(_ mark: Mark) -> String { line(mark.time, mark.kind.rawValue, mark.text, mark.event) }

    /// Returns the line that deletes a client's mark, whose own line stays where it is.
    package static func deletion(of mark: Mark) -> String { line(mark.time, deleted, mark.text) }

    /// Returns the line of a setting that readings depend on from this moment on.
    package static func line(_ setting: String, at time: Date) -> String { line(time, settings, setting) }

    /// Reads the row of a mark; nil if the row is damaged, or is not that of a mark. The mark has the number 0.
    package static func mark(_ line: some StringProtocol) -> Mark? {
        mark(line) { Mark.Kind(rawValue: $0) }
    }

    /// Returns the mark that a row deletes, with the number 0; nil if the row deletes none.
    package static func deletedMark(_ line: some StringProtocol) -> Mark? {
        mark(line) { $0 == deleted ? .user : nil }
    }

    private static func mark(_ line: some StringProtocol, kind: (String) -> Mark.Kind?) -> Mark? {
        guard let cells = CSVFormat.standard.cells(of: line), cells.count == columns.count,
            let time = Date(timestamp: cells[0]), let kind = kind(cells[1]), let text = Mark.text(cells[2].withFormulas)
        else { return nil }
        guard kind.isEvent else { return Mark(time: time, kind: kind, text: text) }
        let details = cells[3...].map { Mark.text($0.withFormulas) }
        let event = Mark.Event(name: details[0], from: details[1], to: details[2], picture: details[3])
        return Mark(time: time, kind: kind, text: text, event: event)
    }

    /// Returns the source of a row, without examining the rest of it. A row that is not a mark counts as a setting.
    package static func source(of line: some StringProtocol) -> Mark.Source {
        let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard cells.count == 3 else { return .settings }
        if cells[1] == deleted { return .client("") }
        guard let kind = Mark.Kind(rawValue: String(cells[1])) else { return .settings }
        return kind == .user ? .client("") : .program(kind)
    }

    private static func line(_ time: Date, _ kind: String, _ text: String, _ event: Mark.Event? = nil) -> String {
        let details = [event?.name, event?.from, event?.to, event?.picture].map { CSVCell.text($0 ?? "") }
        return CSVFormat.standard.line([.word(time.timestamp), .word(kind), .text(text)] + details)
    }
}
