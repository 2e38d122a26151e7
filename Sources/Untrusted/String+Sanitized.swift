/// The one sanitizer of text from outside: what devices, processes, files and clients call themselves, on its way to a
/// log, a terminal or a page.
extension String {
    /// The text on one line, printable, and of bounded length.
    ///
    /// U+FFFD takes the place of every scalar that is not plain, and of a first one that would join to the text before
    /// it. Judged scalar by scalar, for a Character may hide one that matters behind another.
    /// - Parameter limit: The most scalars that are returned, 1 or more; the last of a text that is longer is `…`.
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

    /// The same for each line of a text, however long it is.
    package var sanitizedLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).sanitized(limit: .max) }
            .joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    /// Whether it can be shown as it is.
    ///
    /// Control characters and separators break a line or steer a terminal, format characters show nothing or turn the
    /// direction of writing, and what the others look like is for each font to say.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Whether it forms one Character with whatever stands before it, such as a quotation mark or a bracket
    /// (UAX #29: Extend and SpacingMark).
    package var joinsToTextBefore: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        // Thai and Lao SARA AM are letters, and SpacingMark all the same.
        default: properties.isGraphemeExtend || properties.isEmojiModifier || self == "\u{E33}" || self == "\u{EB3}"
        }
    }
}
