import Testing

@testable import Untrusted

@Suite("Sanitized text")
struct SanitizedTests {
    @Test(
        "U+FFFD replaces scalars that break a line, control a terminal, are invisible or have no defined look",
        arguments: [
            "\0", "\t", "\n", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}", "\u{61C}", "\u{200B}", "\u{200D}",
            "\u{200F}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{FFFE}", "\u{E000}",
            "\u{378}",
            "\u{E0041}", "\u{10FFFF}",
        ] as [Unicode.Scalar])
    func replaced(scalar: Unicode.Scalar) {
        #expect("a\(scalar)b".sanitized() == "a\u{FFFD}b")
    }

    @Test("every unsafe scalar is replaced, even if two of them form one Character")
    func pairs() {
        #expect("a\r\nb".sanitized() == "a\u{FFFD}\u{FFFD}b")
    }

    @Test(
        "plain text is kept",
        arguments: ["", "HD Pro Webcam C920", "Kamera für Ü", "e\u{301}", "亮度 📷", "<&\"'>\\"])
    func kept(text: String) {
        #expect(text.sanitized() == text)
    }

    @Test(
        "joiners are kept in emoji, after and before a virama, and between letters that join",
        arguments: [
            "👩\u{200D}🔬", "👩🏽\u{200D}🔬", "🏳\u{FE0F}\u{200D}🌈", "👩\u{200D}❤\u{FE0F}\u{200D}👨", "🧔🏽\u{200D}♂\u{FE0F}",
            // Persian "dark blue" with a plural, and an abbreviation with a mark before the joiner.
            "آبی\u{200C}های تیره", "ه\u{64E}\u{200D}م",
            // Hindi, Marathi, Bengali, Sinhala, and the final consonant of Malayalam.
            "क्\u{200D}ष", "क्\u{200C}ष", "र्\u{200D}य", "র\u{200D}্য", "ක්\u{200D}ෂ", "അവന്\u{200D}",
        ])
    func joiners(text: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "joiners without an effect are replaced",
        arguments: [
            ("\u{200D}👩", "\u{FFFD}👩"), ("👩\u{200D}", "👩\u{FFFD}"), ("👩\u{200D}a", "👩\u{FFFD}a"),
            ("👩\u{200C}🔬", "👩\u{FFFD}🔬"), ("1\u{200D}2", "1\u{FFFD}2"), ("a\u{200C}ب", "a\u{FFFD}ب"),
            ("ب\u{200C}", "ب\u{FFFD}"), ("ب\u{200C} ب", "ب\u{FFFD} ب"), ("क\u{200D}ष", "क\u{FFFD}ष"),
            ("👩\u{200D}\u{200D}🔬", "👩\u{FFFD}\u{FFFD}🔬"), ("क्\u{200D}\u{200D}ष", "क्\u{200D}\u{FFFD}ष"),
            ("ب\u{202E}\u{200C}ب", "ب\u{FFFD}\u{FFFD}ب"), ("ب\u{200F}ب", "ب\u{FFFD}ب"),
        ])
    func strayJoiners(text: String, expected: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("sanitized text stays the same when it is sanitized again, wherever a joiner is cut off", arguments: 1...8)
    func again(limit: Int) {
        for text in ["a👩🏽\u{200D}🔬b", "क्\u{200D}ष क्\u{200C}", "\u{200D}آبی\u{200C}ها"] {
            let once = text.sanitized(limit: limit)
            #expect(Array(once.sanitized(limit: limit).unicodeScalars) == Array(once.unicodeScalars))
            #expect(once.unicodeScalars.count <= limit)
        }
    }

    @Test(
        "sanitized text does not join to the text before it, whatever it begins with",
        arguments: [0..<0x2_0000, 0xE_0000..<0xE_1000] as [Range<UInt32>])
    func start(values: Range<UInt32>) {
        let joined = values.compactMap(Unicode.Scalar.init).filter { scalar in
            let text = String(scalar).sanitized()
            return ("\"" + text).count != 1 + text.count
        }
        #expect(joined.isEmpty)
    }

    @Test("sanitized text is never longer than its limit, counted in scalars", arguments: [1, 2, 300])
    func bound(limit: Int) {
        for text in [String(repeating: "a", count: 100_000), "a" + String(repeating: "\u{301}", count: 100_000)] {
            #expect(text.sanitized(limit: limit).unicodeScalars.count == limit)
            #expect(text.sanitized(limit: limit).unicodeScalars.last == "…")
        }
        let fitting = String(repeating: "a", count: limit)
        #expect(fitting.sanitized(limit: limit) == fitting)
    }

    @Test("by default, sanitized text has at most 300 scalars")
    func usualBound() {
        #expect(String(repeating: "a", count: 300).sanitized() == String(repeating: "a", count: 300))
        #expect(String(repeating: "a", count: 301).sanitized() == String(repeating: "a", count: 299) + "…")
    }

    @Test("newlines are kept in text of several lines, and other line breaks are replaced")
    func lines() {
        #expect("one\n\u{301}two\r\n\u{2028}\n".sanitizedLines == "one\n\u{FFFD}two\u{FFFD}\u{FFFD}\u{FFFD}\n")
    }
}

@Suite("Trimmed text")
struct TrimmedTests {
    @Test(
        "white space is removed from both ends of a text and nowhere else",
        arguments: [
            ("", ""), (" ", ""), ("\r\n", ""), ("a", "a"), (" \t\u{A0}a b\u{2028}\r\n", "a b"),
            (" \u{301}a", "\u{301}a"), ("a\u{200B}", "a\u{200B}"),
        ])
    func ends(text: String, trimmed: String) {
        #expect(Array(text.trimmed.unicodeScalars) == Array(trimmed.unicodeScalars))
    }
}
