/// The text of a C array of characters, which Swift sees as a tuple: up to the first NUL or the end of the array.
///
/// Drivers fill these, with what a device says of itself; bytes that are no UTF-8 become U+FFFD.
func string<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).shown
    }
}

extension String {
    /// With U+FFFD for what would break a line, steer a terminal or turn the direction of writing: a device may call
    /// itself anything.
    var shown: String {
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
