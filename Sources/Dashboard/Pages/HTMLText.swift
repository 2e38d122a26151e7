import Mustache

/// The content type of every template: text that is escaped for HTML elements and quoted attributes.
///
/// It replaces the library's own content type, which compares grapheme clusters. The library does not escape a `<`
/// after U+0D4E or a quote before U+0301, because each is part of a longer cluster, but a browser sees the `<` and the
/// quote. See docs/upstream/escaping-by-scalar.md.
struct HTMLText: MustacheContentType {
    /// The name by which a template chooses this content type.
    static let name = "SWATCHCAM-HTML"

    func escapeText(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        // In UTF-8 these bytes always stand for these scalars.
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
