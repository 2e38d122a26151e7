import Mustache

/// Text as HTML has it, in an element or in a quoted attribute: how every template shows what it is given.
///
/// It replaces the library's own content type, which compares grapheme clusters. A `<` after U+0D4E and a quote before
/// U+0301 are part of a longer cluster, and stayed as they were; a browser sees the `<` and the quote. See
/// docs/upstream/escaping-by-scalar.md.
struct HTMLText: MustacheContentType {
    /// The name by which a template chooses this content type.
    static let name = "SWATCHCAM-HTML"

    func escapeText(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        // In UTF-8 these bytes stand for these scalars and for nothing else.
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
