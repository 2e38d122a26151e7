import Color
package import Documents
package import Metrology

extension LightState {
    /// The state of a light in a word.
    package enum Word: String, CaseIterable, Sendable {
        case off
        case on
        case blinking
        /// It cannot be told.
        case unknown
    }

    /// The colour of the glow as R'G'B'.
    fileprivate var encodedGlow: RGB? { glow.map { RGB($0.map { 255 * SRGB.encoded($0) }) } }

    package var word: Word {
        guard let on else { return .unknown }
        return hz != nil ? .blinking : on ? .on : .off
    }
}

extension LightState: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "color", .component("Color").orNull,
            "The glow in other coordinates."
        ) { $0.encodedGlow.map { Reading.ColorDetails($0, isDistorted: false, palette: nil) } },
        .number(
            "duty", .number(0...1).orNull, decimals: 3,
            "The share of the time in which it is on; null unless it blinks regularly."
        ) { $0.duty },
        .value(
            "hex", .hex.orNull,
            "The mean colour of its glow, without the room's light and without overexposed pixels; null while it is "
                + "off, or if it is overexposed."
        ) { $0.encodedGlow?.rounded.hex },
        .number(
            "hz", .number(from: 0).orNull, decimals: 3,
            "How often it goes on in a second; null unless it blinks regularly, for two periods at least."
        ) { $0.hz },
        .number(
            "level", .number, decimals: 6,
            "Its luminance above that of its surroundings in the newest frame, in linear light; white is 1."
        ) { $0.level },
        .value(
            "on", .boolean.orNull,
            "Whether it is on; one that blinks regularly is on. Null if that cannot be told."
        ) { $0.on },
        .value("reason", .string.orNull, "What cannot be told, and why; null if all is known.") { $0.reason },
    ]
}
