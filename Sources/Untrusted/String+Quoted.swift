extension String {
    /// The maximum length of a piece of a user's text that a message repeats, in scalars.
    package static let maxQuoted = 60

    /// Returns the text for a message: in quotes, on one line, and cut off if it is long.
    package func quoted() -> String { "\"\(escaped(limit: Self.maxQuoted, alsoQuotes: true))\"" }

    /// The text as a basic string of TOML 1.0.0.
    package var toml: String { "\"\(escaped(alsoQuotes: true))\"" }

    /// Returns the text with TOML escapes for every scalar that is not plain, and for a first one that would combine
    /// with the quotation mark before it. Untrusted text can then neither break a line nor deceive the user of a
    /// terminal.
    package func escaped(limit: Int? = nil, alsoQuotes: Bool = false) -> String {
        var result = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            if let limit, index >= limit { return result + "…" }
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where alsoQuotes, "\\" where alsoQuotes: result += "\\\(scalar)"
            case _ where !scalar.isPlain || index == 0 && scalar.joinsToTextBefore: result += scalar.tomlEscape
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var tomlEscape: String {
        let digits = String(value, radix: 16, uppercase: true)
        let width = value > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
    }
}
