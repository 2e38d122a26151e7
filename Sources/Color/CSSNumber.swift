/// A number as CSS writes it (CSS Syntax 3, 4.3.12): no infinity, no hexadecimal, and a digit after each point.
enum CSSNumber {
    /// Parses a number; nil for any other text. The result is infinite if the number exceeds the range of `Double`.
    static func parse(_ text: Substring) -> Double? {
        var rest = text.utf8[...]
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits(&rest) > 0 else { return nil }
        } else if whole == 0 {
            return nil
        }
        if rest.first == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            guard digits(&rest) > 0 else { return nil }
        }
        return rest.isEmpty ? Double(text) : nil
    }

    /// Removes the digits at the start, and returns how many there were.
    private static func digits(_ text: inout Substring.UTF8View) -> Int {
        let count = text.prefix { 0x30...0x39 ~= $0 }.count
        text = text.dropFirst(count)
        return count
    }
}
