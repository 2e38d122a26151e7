extension String {
    /// Longest piece of a user's text that a message repeats, in characters.
    static let quotedLimit = 60

    /// In quotes, on one line, cut when long: fit for a message.
    func quoted() -> String { "\"\(escaped(limit: Self.quotedLimit, alsoQuotes: true))\"" }

    /// Control characters and invisible ones written as TOML escapes, so that text from outside can neither break
    /// a line nor disguise itself in a terminal.
    func escaped(limit: Int? = nil, alsoQuotes: Bool = false) -> String {
        var result = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            if let limit, index >= limit { return result + "…" }
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where alsoQuotes, "\\" where alsoQuotes: result += "\\\(scalar)"
            default: result += scalar.isInvisible ? scalar.tomlEscape : String(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it is a control, format (bidi override, zero width) or separator character that shows nothing itself.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    fileprivate var tomlEscape: String {
        let digits = String(value, radix: 16, uppercase: true)
        let width = value > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
    }
}
