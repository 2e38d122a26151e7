/// The only sanitizer of text from outside: the names of devices, processes, files and clients pass through it on their
/// way to a log, a terminal or a page.
extension String {
    /// Returns the text as one printable line of bounded length.
    ///
    /// U+FFFD replaces every scalar that is not plain, and a first scalar that would join to the text before it. The
    /// text is examined scalar by scalar, because a Character can hide a dangerous scalar behind a harmless one.
    /// Joiners are kept where emoji and scripts need them.
    /// - Parameter limit: The maximum number of scalars to return, at least 1. A longer text ends in `…`.
    package func sanitized(limit: Int = 300) -> String {
        let isLonger = !unicodeScalars.dropFirst(limit).isEmpty
        var rest = unicodeScalars.prefix(isLonger ? limit - 1 : limit)
        var result = UnicodeScalarView()
        while let scalar = rest.popFirst() {
            let isSafe =
                scalar.isJoiner
                ? scalar.hasEffect(between: result, and: rest.first)
                : scalar.isPlain && (!result.isEmpty || !scalar.joinsToTextBefore)
            result.append(isSafe ? scalar : "\u{FFFD}")
        }
        if isLonger { result.append("…") }
        return String(result)
    }

    /// The text with each line sanitized, however long it is.
    package var sanitizedLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).sanitized(limit: .max) }
            .joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    /// Whether this scalar can be shown unchanged.
    ///
    /// Control characters and separators break a line or control a terminal. Format characters are invisible or reverse
    /// the direction of writing. The appearance of the other excluded ones depends on the font.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Whether this scalar forms one Character with the text before it, such as a quotation mark or a bracket (UAX #29:
    /// Extend and SpacingMark).
    package var joinsToTextBefore: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        // Thai and Lao SARA AM are letters that are nevertheless SpacingMark.
        default: properties.isGraphemeExtend || properties.isEmojiModifier || self == "\u{E33}" || self == "\u{EB3}"
        }
    }
}

/// Zero-width joiners and non-joiners, which are invisible, but change the look of the text around them.
extension Unicode.Scalar {
    private static let joiner: Unicode.Scalar = "\u{200D}"

    /// The scripts whose letters join: Arabic, Syriac, N'Ko and Mandaic; Mongolian; Phags-pa; Adlam.
    private static let joiningScripts: [ClosedRange<UInt32>] = [
        0x0600...0x074F, 0x0750...0x077F, 0x07C0...0x07FF, 0x0840...0x08FF, 0x1800...0x18AF, 0xA840...0xA877,
        0xFB50...0xFDFF, 0xFE70...0xFEFC, 0x1E900...0x1E94B,
    ]

    fileprivate var isJoiner: Bool { self == Self.joiner || self == "\u{200C}" }

    /// Whether this joiner changes how the text around it looks: after a virama or before one (RFC 5892, A.1 and A.2;
    /// Unicode, chapter 12), between letters that join, and, if it is U+200D, between emoji (UTS #51, ED-16).
    fileprivate func hasEffect(between text: String.UnicodeScalarView, and next: Unicode.Scalar?) -> Bool {
        guard let previous = text.last else { return false }
        if previous.isVirama || previous.isLetter && next?.isVirama == true { return true }
        guard let next else { return false }
        if previous.isOfJoiningScript && next.isOfJoiningScript { return true }
        // Modifiers of an emoji stand between it and the joiner. There are at most two of them.
        let emoji = text.suffix(3).last { $0 != "\u{FE0F}" && !$0.properties.isEmojiModifier }
        return self == Self.joiner && emoji?.isPictograph == true && next.isPictograph
    }

    private var isVirama: Bool { properties.canonicalCombiningClass == .virama }

    private var isLetter: Bool { properties.generalCategory == .otherLetter }

    private var isOfJoiningScript: Bool {
        switch properties.generalCategory {
        case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter, .nonspacingMark:
            Self.joiningScripts.contains { $0.contains(value) }
        default: false
        }
    }

    /// Whether this is an emoji on its own. Digits are emoji, too, with a mark that follows them.
    private var isPictograph: Bool { properties.isEmoji && !isASCII }
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

    /// Whether at most ``maxMarks`` combining marks follow one another.
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
