extension ConfigCodec<Token?> {
    /// A secret. Messages never repeat it, even if it is invalid.
    static let token = ConfigCodec(
        expected: "a string of \(Token.minLength) to \(Token.maxLength) letters, digits and -._~+/=",
        allowedValues: "\(Token.minLength) to \(Token.maxLength) letters, digits and -._~+/=",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .refused("this is not a string; \(advice)") }
            guard let token = Token(text) else {
                let count = text.utf8.count
                let range = Token.minLength...Token.maxLength
                throw .refused(
                    range.contains(count)
                        ? "it may contain only letters, digits and -._~+/=; \(advice)"
                        : "it has \(count) characters; expected \(range.lowerBound) to \(range.upperBound); \(advice)")
            }
            return token
        },
        encode: { _ in nil })

    private static let advice = "`swatchcam token` prints one"
}
