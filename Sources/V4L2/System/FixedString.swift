import Untrusted

/// The text of a C array of characters, which Swift sees as a tuple: up to the first NUL or the end of the array.
///
/// Drivers fill these, with what a device says of itself; bytes that are no UTF-8 become U+FFFD.
func string<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).sanitized()
    }
}
