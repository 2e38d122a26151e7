import Untrusted

/// Derives marks from readings: which camera delivers, when the colour is lost, and when it is back.
struct PresenceMarker {
    /// The id of the camera that last delivered a colour.
    private var camera: String?
    private var isLost = false
    /// The state in which the colour was last there, and the one in which it was lost.
    private var (present, lost): (Reading.State?, Reading.State?)

    /// Returns the mark that a reading calls for; nil if it is nothing new.
    /// - Parameter mayLose: Whether there is room for the mark of a colour that is lost.
    mutating func mark(for reading: Reading, mayLose: Bool = true) -> EventMarker.Entry? {
        if reading.state.hasColor {
            guard let now = reading.camera else { return nil }
            defer { (camera, isLost, present) = (now.id, false, reading.state) }
            if now.id != camera { return .init(kind: .camera, text: text("Camera: \(now.name)")) }
            guard isLost else { return nil }
            let event = Mark.Event(from: lost?.rawValue, to: reading.state.rawValue)
            return .init(kind: .back, text: text("\(now.name) is back."), event: event)
        }
        // While a camera is being opened, the colour is not lost yet.
        guard reading.state != .starting, camera != nil, !isLost, mayLose else { return nil }
        (isLost, lost) = (true, reading.state)
        return .init(
            kind: .lost, text: text(reading.message ?? "There is no colour: \(reading.state.rawValue)."),
            event: Mark.Event(from: present?.rawValue, to: reading.state.rawValue))
    }

    private func text(_ text: String) -> String { text.sanitized(limit: Mark.maxLength) }
}
