extension RGB8 {
    /// The relative luminance, 0...1 (WCAG 2.2, "relative luminance"; IEC 61966-2-1 for the decoding).
    public var relativeLuminance: Double {
        let (red, green, blue) = (
            SRGB.linear(Double(r) / 255), SRGB.linear(Double(g) / 255), SRGB.linear(Double(b) / 255)
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns the contrast ratio, 1...21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: RGB8) -> Double {
        let (one, two) = (relativeLuminance, other.relativeLuminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Black or white, whichever is more legible on this colour. Its contrast is at least 4.58:1, more than WCAG 2.2
    /// requires of text (1.4.3: 4.5:1).
    public var textColor: RGB8 {
        contrast(with: .black) >= contrast(with: .white) ? .black : .white
    }
}
