import Untrusted

/// Returns the text of a C array of characters, which Swift imports as a tuple, up to the first NUL or the end of the
/// array.
///
/// Drivers fill such arrays with what a device reports about itself; bytes that are not UTF-8 become U+FFFD.
func string<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).sanitized()
    }
}
