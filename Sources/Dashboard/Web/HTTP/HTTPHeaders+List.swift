import FlyingFox

extension HTTPHeaders {
    /// Returns the members of a list-valued field (RFC 9110, 5.6.1), in order, without surrounding blanks.
    func list(_ header: HTTPHeader) -> [String] {
        (self[header] ?? "").utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
            String(Substring(member)).trimmingBlanks
        }
    }
}

extension String {
    /// The text without surrounding spaces and tabs, the whitespace of HTTP (RFC 9110, 5.6.3).
    var trimmingBlanks: String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
