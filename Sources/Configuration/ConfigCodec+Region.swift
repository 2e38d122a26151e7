package import Pixels

extension ConfigCodec<Region> {
    /// The length by which a region may extend beyond the edge, because decimal fractions such as 0.7 + 0.3 are
    /// rounded.
    private static let tolerance = 1e-9

    /// `[x, y, width, height]` as fractions of the picture.
    package static let region = ConfigCodec(
        expected: "a list of four numbers in 0...1, [x, y, width, height]",
        allowedValues: "[x, y, width, height] in 0...1, fractions of the picture, from its upper left corner",
        decode: decodeRegion,
        encode: { "[\([$0.x, $0.y, $0.width, $0.height].map(\.shortestText).joined(separator: ", "))]" })

    @Sendable private static func decodeRegion(_ value: ConfigValue, _: String) throws(ConfigRejection) -> Region {
        guard case .list(let elements) = value else { throw .wrongType }
        guard elements.count == 4 else {
            let count = "\(elements.count) \(elements.count == 1 ? "element" : "elements")"
            throw .refused("this list has \(count); expected four, [x, y, width, height]")
        }
        let names = ["x", "y", "width", "height"]
        var fractions: [Double] = []
        for (index, element) in elements.enumerated() {
            guard let fraction = element.number else {
                throw .element(index, "\(names[index]): \(element.sentence); expected a number in 0...1")
            }
            guard (0...1).contains(fraction) else {
                throw .element(index, "\(names[index]): \(element.text) is out of range 0...1")
            }
            guard index < 2 || fraction > 0 else {
                throw .element(index, "\(names[index]): \(element.text) leaves nothing to read; expected more than 0")
            }
            fractions.append(fraction)
        }
        let width = try length(fractions[2], from: fractions[0], "x + width", "right edge")
        let height = try length(fractions[3], from: fractions[1], "y + height", "lower edge")
        return Region(x: fractions[0], y: fractions[1], width: width, height: height)
    }

    /// Returns the length, shortened to end at the edge if it extends beyond by no more than the tolerance.
    private static func length(
        _ length: Double, from start: Double, _ sum: String, _ edge: String
    ) throws(ConfigRejection) -> Double {
        let inside = min(length, 1 - start)
        guard start + length <= 1 + tolerance, inside > 0 else {
            throw .refused(
                "\(sum) is \((start + length).shortestText), beyond the picture's \(edge); expected at most 1")
        }
        return inside
    }
}
