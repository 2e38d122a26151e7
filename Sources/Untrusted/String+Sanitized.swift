/// The only sanitizer of text from outside: the names of devices, processes, files and clients pass through it on their
/// way to a log, a terminal or a page.
extension String {
    /// Returns the text as one printable line of bounded length.
    ///
    /// U+FFFD replaces every scalar that is not plain, and a first scalar that would join to the text before it. The
    /// text is examined scalar by scalar, because a Character can hide a dangerous scalar behind a harmless one.
    /// - Parameter limit: The maximum number of scalars to return, at least 1. A longer text ends in `…`.
    package func sanitized(limit: Int = 300) -> String {
        var result = UnicodeScalarView()
        for (index, scalar) in unicodeScalars.prefix(limit).enumerated() {
            let isSafe = scalar.isPlain && (index > 0 || !scalar.joinsToTextBefore)
            result.append(isSafe ? scalar : "\u{FFFD}")
        }
        if !unicodeScalars.dropFirst(limit).isEmpty {
            result.removeLast()
            result.append("…")
        }
        return String(result)
    }

    /// The text with each line sanitized, however long it is.
    package var sanitizedLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).sanitized(limit: .max) }
            .joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    /// Whether it can be shown unchanged.
    ///
    /// Control characters and separators break a line or control a terminal. Format characters are invisible or reverse
    /// the direction of writing. The appearance of the other excluded ones depends on the font.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Whether it forms one Character with the text before it, such as a quotation mark or a bracket (UAX #29: Extend
    /// and SpacingMark).
    package var joinsToTextBefore: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        // Thai and Lao SARA AM are letters that are nevertheless SpacingMark.
        default: properties.isGraphemeExtend || properties.isEmojiModifier || self == "\u{E33}" || self == "\u{EB3}"
        }
    }
}

extension String {
    /// Returns the part after a prefix; nil if the text does not begin with it.
    package func rest(after prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}

extension StringProtocol {
    /// The text without the white space at its ends.
    package var trimmed: String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}

extension StringProtocol {
    /// The maximum number of combining marks in a row (UAX #15, "Stream-Safe Text Format"). No language needs as many.
    package static var maxMarks: Int { 30 }

    /// Whether no more combining marks follow one another than ``maxMarks``.
    ///
    /// Comparing, hashing or searching another text takes time that grows with the square of their number, because they
    /// are sorted each time. So text from outside is refused before anything else is done with it.
    package var isStreamSafe: Bool {
        var marks = 0
        for scalar in unicodeScalars {
            if scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered {
                marks = 0
            } else {
                marks += 1
                guard marks <= Self.maxMarks else { return false }
            }
        }
        return true
    }
}
