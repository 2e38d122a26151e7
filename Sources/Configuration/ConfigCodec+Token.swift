extension ConfigCodec<Token?> {
    /// A secret. What was written is repeated nowhere, not even when it is wrong.
    static let token = ConfigCodec(
        wanted: "a string of \(Token.shortest) to \(Token.longest) letters, digits and -._~+/=",
        range: "\(Token.shortest) to \(Token.longest) letters, digits and -._~+/=",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .refused("this is no string; \(advice)") }
            guard let token = Token(text) else {
                let count = text.utf8.count
                let range = Token.shortest...Token.longest
                throw .refused(
                    range.contains(count)
                        ? "only letters, digits and -._~+/= may be in it; \(advice)"
                        : "it has \(count) letters; \(range.lowerBound) to \(range.upperBound) are wanted; \(advice)")
            }
            return token
        },
        encode: { _ in nil })

    private static let advice = "`swatchcam token` prints a good one"
}
