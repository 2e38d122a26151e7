import Untrusted

extension String {
    /// The same JSON document without anything that would control a terminal.
    ///
    /// Characters beyond ASCII can only be the content of strings, where they may be escaped (RFC 8259, section 7).
    /// ASCII control characters are either white space or not JSON.
    var terminalSafeJSON: String {
        // True of nearly every document, and quickly found: only characters beyond ASCII need a look at their category.
        if unicodeScalars.allSatisfy(\.isSafeInTerminal) { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isSafeInTerminal {
                result.append(scalar)
            } else if scalar.value < 0x20 {
                result.append(" ")
            } else {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result.append(
                        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
                }
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var isSafeInTerminal: Bool { isASCII ? 0x20...0x7e ~= value || self == "\n" : isPlain }
}
