/// The quantity that is averaged.
public enum Average: String, CaseIterable, Sendable {
    /// The code values of sRGB that pictures consist of; most programs call their mean the mean colour.
    case srgb
    /// The light that they represent; its mean is what a camera out of focus would see.
    case linear
}
