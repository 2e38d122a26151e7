import Testing

/// A text whose special characters are part of longer grapheme clusters, with its correct escaping in HTML.
struct HostileText: CustomTestStringConvertible, Sendable {
    var text: String
    var escaped: String

    var testDescription: String {
        text.unicodeScalars.map { "U+\(String($0.value, radix: 16, uppercase: true))" }.joined(separator: " ")
    }

    static let all = [
        // U+0D4E, MALAYALAM LETTER DOT REPH, forms one cluster with the next scalar.
        HostileText(text: "\u{0D4E}<plaintext>", escaped: "\u{0D4E}&lt;plaintext&gt;"),
        HostileText(text: "\"\u{301} onfocus=x y=\"\u{301}", escaped: "&quot;\u{301} onfocus=x y=&quot;\u{301}"),
        HostileText(text: "'\u{20DD}", escaped: "&#39;\u{20DD}"),
        HostileText(text: "<\u{FE0F}b>\u{FE0F}", escaped: "&lt;\u{FE0F}b&gt;\u{FE0F}"),
        HostileText(text: "&\u{200D}lt;", escaped: "&amp;\u{200D}lt;"),
        HostileText(
            text: "\u{1F1E9}\u{1F1EA}<\u{1F1E9}\u{200D}>", escaped: "\u{1F1E9}\u{1F1EA}&lt;\u{1F1E9}\u{200D}&gt;"),
        // A mark at the start joins to the template's text before it.
        HostileText(text: "\u{301}<i>", escaped: "\u{301}&lt;i&gt;"),
        HostileText(text: "<!--\u{301}", escaped: "&lt;!--\u{301}"),
        HostileText(text: "a < b > \"c\" & 'd'", escaped: "a &lt; b &gt; &quot;c&quot; &amp; &#39;d&#39;"),
    ]
}

extension String {
    /// Returns how often a text occurs in this one, byte by byte, because `contains` of strings compares grapheme
    /// clusters.
    func count(of part: String) -> Int {
        let (bytes, part) = (Array(utf8), Array(part.utf8))
        guard !part.isEmpty, bytes.count >= part.count else { return 0 }
        return (0...(bytes.count - part.count)).count { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
