/// A token of a TOML text, only as fine as finding the keys requires.
struct TOMLToken: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A bare key, or a number, boolean or date, or a part of one.
        case bare(String)
        /// A string of any of the four kinds, with its escapes resolved.
        case string(String)
        /// One of `. = , [ ] { }`.
        case mark(Unicode.Scalar)
        /// The end of a line.
        case newline
    }

    var kind: Kind
    var position: TextPosition
    /// The number of scalars before the token.
    var offset: Int
}
