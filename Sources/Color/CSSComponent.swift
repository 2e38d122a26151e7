/// A component of a functional notation, with its name for messages.
struct CSSComponent {
    var name: String
    /// The values that are accepted, after a percentage has been converted.
    var range: ClosedRange<Double>
    /// The value of 100 %; nil for a hue, which is an angle.
    var hundredPercent: Double?

    /// A hue in degrees. Hues are periodic, so any angle is valid; the limit keeps them exact.
    static let hue = CSSComponent(name: "hue", range: -36_000...36_000, hundredPercent: nil)

    static func percentage(_ name: String) -> CSSComponent {
        CSSComponent(name: name, range: 0...100, hundredPercent: 100)
    }

    static func unit(_ name: String) -> CSSComponent { CSSComponent(name: name, range: 0...1, hundredPercent: 1) }

    static func axis(_ name: String, _ limit: Double, _ hundredPercent: Double) -> CSSComponent {
        CSSComponent(name: name, range: -limit...limit, hundredPercent: hundredPercent)
    }

    /// Returns a hue reduced to 0...360 degrees, or the value of any other component unchanged.
    func normalized(_ value: Double) -> Double {
        guard hundredPercent == nil else { return value }
        let rest = value.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
