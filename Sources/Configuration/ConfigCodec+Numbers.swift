extension ConfigCodec where Value: FixedWidthInteger {
    /// A whole number.
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
            encode: { "\($0)" },
            parse: { text in Int(text).map(ConfigValue.integer) ?? .string(text) })
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
            encode: { "\($0)" })
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
            encode: { $0.shortestText },
            parse: { text in Double(text).map(ConfigValue.float) ?? .string(text) })
    }
}
