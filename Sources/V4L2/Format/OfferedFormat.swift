/// A pixel format that a camera offers, with its sizes and rates.
public struct OfferedFormat: Equatable, Sendable {
    /// Some sizes, or one.
    public enum Sizes: Equatable, Sendable {
        /// These.
        case discrete([Size])
        /// Everything between two sizes, in steps.
        case stepwise(width: ClosedRange<Int>, widthStep: Int, height: ClosedRange<Int>, heightStep: Int)
    }

    /// A size with the rates at which it comes.
    public struct Size: Equatable, Sendable {
        /// In pixels.
        public var width: Int
        /// In pixels.
        public var height: Int
        /// Frames per second, highest first; for a continuous range its ends; empty if the driver does not say.
        public var rates: [Double]

        /// A size; the values are taken as they are.
        public init(width: Int, height: Int, rates: [Double]) {
            self.width = width
            self.height = height
            self.rates = rates
        }
    }

    /// The format.
    public var fourCC: FourCC
    /// The driver's words for it.
    public var name: String
    /// Its sizes.
    public var sizes: Sizes

    /// A format; the values are taken as they are.
    public init(fourCC: FourCC, name: String, sizes: Sizes) {
        self.fourCC = fourCC
        self.name = name
        self.sizes = sizes
    }
}
