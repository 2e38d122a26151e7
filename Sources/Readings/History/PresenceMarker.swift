import Untrusted

/// Derives marks from readings: which camera delivers, when the colour is lost, and when it is back.
struct PresenceMarker {
    /// The id of the camera that last delivered a colour.
    private var camera: String?
    private var isLost = false

    /// Returns the mark that a reading calls for; nil if it is nothing new.
    mutating func mark(for reading: Reading) -> (kind: Mark.Kind, text: String)? {
        if reading.state.hasColor {
            guard let now = reading.camera else { return nil }
            defer { (camera, isLost) = (now.id, false) }
            if now.id != camera { return (.camera, text("Camera: \(now.name)")) }
            return isLost ? (.back, text("\(now.name) is back.")) : nil
        }
        // While a camera is being opened, the colour is not lost yet.
        guard reading.state != .starting, camera != nil, !isLost else { return nil }
        isLost = true
        return (.lost, text(reading.message ?? "There is no colour: \(reading.state.rawValue)."))
    }

    private func text(_ text: String) -> String { text.sanitized(limit: Mark.maxLength) }
}
