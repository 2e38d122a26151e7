import Documents
package import Pixels

extension ConfigCodec where Value: FixedWidthInteger {
    static func integer(_ range: ClosedRange<Int>) -> ConfigCodec {
        let rangeText = "\(range.lowerBound)...\(range.upperBound)"
        return ConfigCodec(
            expected: "a whole number in \(rangeText)",
            allowedValues: rangeText,
            decode: { value, _ throws(ConfigRejection) in
                guard case .integer(let number) = value else { throw .wrongType }
                guard range.contains(number), let result = Value(exactly: number) else {
                    throw .refused("\(number) is out of range \(rangeText)")
                }
                return result
            },
            parse: { text in Int(text).map(ConfigValue.integer) ?? .string(text) },
            schema: .integer(range))
    }
}

extension ConfigCodec {
    var optional: ConfigCodec<Value?> {
        ConfigCodec<Value?>(
            expected: expected, allowedValues: allowedValues,
            decode: { value, folder throws(ConfigRejection) in try decode(value, folder) }, parse: parse,
            schema: schema?.orNull)
    }
}

extension ConfigCodec<Int> {
    /// One of a few whole numbers.
    static func oneOf(_ numbers: [Int]) -> ConfigCodec {
        let expected = numbers.dropLast().map(\.description).joined(separator: ", ") + " or \(numbers.last ?? 0)"
        return ConfigCodec(
            expected: expected,
            allowedValues: expected,
            decode: { value, _ throws(ConfigRejection) in
                guard case .integer(let number) = value else { throw .wrongType }
                guard numbers.contains(number) else { throw .refused("\(number) is not allowed; expected \(expected)") }
                return number
            },
            schema: ["enum": .array(numbers.map { .number(Double($0)) })])
    }
}

extension ConfigCodec<Double> {
    /// A number, with or without a fraction.
    static func number(_ range: ClosedRange<Double>) -> ConfigCodec {
        let rangeText = "\(range.lowerBound.shortestText)...\(range.upperBound.shortestText)"
        return ConfigCodec(
            expected: "a number in \(rangeText)",
            allowedValues: rangeText,
            decode: { value, _ throws(ConfigRejection) in
                guard let number = value.number else { throw .wrongType }
                // NaN is outside every range.
                guard range.contains(number) else {
                    throw .refused("\(value.text) is out of range \(rangeText)")
                }
                return number
            },
            parse: { text in Double(text).map(ConfigValue.float) ?? .string(text) },
            schema: .number(range))
    }
}

extension ConfigCodec<[Double]> {
    private static let gainRange = 1.0...16

    /// `[r, g, b]`: at least 1, so that a saturated channel stays saturated.
    static let gains = ConfigCodec(
        expected: "a list of three numbers in 1...16, [r, g, b]",
        allowedValues: "[r, g, b] in 1...16",
        decode: { value, _ throws(ConfigRejection) in
            guard case .list(let elements) = value else { throw .wrongType }
            guard elements.count == 3 else {
                throw .refused("this list has \(elements.count) elements; expected three, [r, g, b]")
            }
            var gains: [Double] = []
            for (index, element) in elements.enumerated() {
                guard let gain = element.number else {
                    throw .element(index, "\(element.sentence); expected a number in 1...16")
                }
                guard gainRange.contains(gain) else {
                    throw .element(index, "\(element.text) is out of range 1...16")
                }
                gains.append(gain)
            }
            return gains
        },
        schema: .array(of: .number(gainRange), 3...3))
}

extension ConfigCodec<Region> {
    /// The length by which a region may extend beyond the edge, because decimal fractions such as 0.7 + 0.3 are
    /// rounded.
    private static let tolerance = 1e-9

    /// `[x, y, width, height]` as fractions of the picture.
    package static let region = ConfigCodec(
        expected: "a list of four numbers in 0...1, [x, y, width, height]",
        allowedValues: "[x, y, width, height] in 0...1, fractions of the picture, from its upper left corner",
        decode: decodeRegion)

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
