import FoundationEssentials

extension String {
    /// Creates JSON for a `<script>` element, which a template inserts unescaped.
    ///
    /// The element ends at `</script`, and `<!--` changes where it ends (HTML, 4.12.1.3), even inside JSON. U+2028 and
    /// U+2029 end a line in older JavaScript. All of these occur only in JSON strings, where `\uXXXX` means the same
    /// (RFC 8259, 7).
    /// - Parameter json: A JSON text in UTF-8.
    init(scriptJSON json: Data) {
        // Each separator is E2 80 followed by A8 or A9. When the last byte completes one, an escape replaces all three.
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): escaped += "\\u003c".utf8
            case UInt8(ascii: ">"): escaped += "\\u003e".utf8
            case UInt8(ascii: "&"): escaped += "\\u0026".utf8
            case 0xA8 where escaped.suffix(2) == [0xE2, 0x80]:
                escaped.replaceSubrange((escaped.count - 2)..., with: "\\u2028".utf8)
            case 0xA9 where escaped.suffix(2) == [0xE2, 0x80]:
                escaped.replaceSubrange((escaped.count - 2)..., with: "\\u2029".utf8)
            default: escaped.append(byte)
            }
        }
        self.init(decoding: escaped, as: UTF8.self)
    }
}
