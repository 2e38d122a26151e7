/// A transformation of a picture, pixel by pixel.
public protocol Effect: Sendable {
    /// The name in the configuration and in URLs: lower case, with hyphens between words.
    var name: String { get }
    /// The name for people.
    var title: String { get }
    /// A sentence that says what it does.
    var summary: String { get }

    /// Changes the picture in place. Its size stays the same, and the unused bytes have no influence.
    func apply(to bitmap: inout Bitmap)
}

/// The list of effects.
public enum Effects {
    /// All effects, in the order in which they are shown.
    public static let all: [any Effect] = [
        NoEffect(), RedToBlue(), Grayscale(), Invert(), Posterize(), Threshold(), Edges(), FalseColor(), Zebra(),
    ]

    /// Returns the effect with a name; nil if there is none.
    public static func named(_ name: String) -> (any Effect)? { all.first { $0.name == name } }
}
