package import Documents
package import Readings

/// Something that has happened by itself, such as a state that has changed.
package struct Event: Equatable, Sendable {
    package var mark: Mark
    /// The number of the reading that shows it.
    package let sequence: UInt64
    /// Whether that reading has a colour.
    package let hasColor: Bool
    /// Its document: with many probes and targets, a reading itself has megabytes, and a hundred events may wait.
    private let reading: EncodedJSON

    package init(_ mark: Mark, _ reading: Reading) {
        (self.mark, sequence, hasColor) = (mark, reading.sequence, reading.state.hasColor)
        self.reading = EncodedJSON(reading.json())
    }
}

extension Event: JSONObject {
    package func writeFields(to json: inout JSONWriter) {
        json.field("event", mark.kind)
        json.field("from", mark.event?.from)
        json.field("name", mark.event?.name)
        json.field("picture", mark.event?.picture)
        json.field("reading", reading)
        json.field("text", mark.text)
        json.field("time", mark.time.timestamp)
        json.field("to", mark.event?.to)
    }
}
