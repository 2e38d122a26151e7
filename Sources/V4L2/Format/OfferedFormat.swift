/// A pixel format that a camera offers, with its sizes and rates.
public struct OfferedFormat: Equatable, Sendable {
    /// The sizes in which a format is offered.
    public enum Sizes: Equatable, Sendable {
        /// A list of sizes.
        case discrete([Size])
        /// All sizes within two ranges, in steps; all numbers are in pixels.
        case stepwise(width: ClosedRange<Int>, widthStep: Int, height: ClosedRange<Int>, heightStep: Int)
    }

    /// A size and its frame rates.
    public struct Size: Equatable, Sendable {
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int
        /// The rates in frames per second, highest first; both ends of a continuous range; empty if the driver reports
        /// none.
        public var rates: [Double]

        /// Creates a size from the given values, unchecked.
        public init(width: Int, height: Int, rates: [Double]) {
            self.width = width
            self.height = height
            self.rates = rates
        }
    }

    /// The pixel format.
    public var fourCC: FourCC
    /// The driver's name for it.
    public var name: String
    /// The sizes in which it is offered.
    public var sizes: Sizes

    /// Creates a format from the given values, unchecked.
    public init(fourCC: FourCC, name: String, sizes: Sizes) {
        self.fourCC = fourCC
        self.name = name
        self.sizes = sizes
    }
}
