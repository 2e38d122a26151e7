/// Something that is done to a picture, pixel by pixel.
public protocol Effect: Sendable {
    /// What configuration and addresses call it: lower case, words joined by hyphens.
    var name: String { get }
    /// What people call it.
    var title: String { get }
    /// What it does, in a sentence.
    var summary: String { get }

    /// Changes the picture in place. Its size stays; what is in the bytes that mean nothing has no influence.
    func apply(to bitmap: inout Bitmap)
}

/// The effects that there are.
public enum Effects {
    /// All of them, in the order in which people are shown them.
    public static let all: [any Effect] = [
        NoEffect(), RedToBlue(), Grayscale(), Invert(), Posterize(), Threshold(), Edges(), FalseColor(), Zebra(),
    ]

    /// The effect of a name; nil if there is none.
    public static func named(_ name: String) -> (any Effect)? { all.first { $0.name == name } }
}
