/// A piece of a TOML text, only as fine as finding keys in it wants.
struct TOMLToken: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A bare key, or a number, boolean or date, or a part of one.
        case bare(String)
        /// A string of any of the four sorts, its escapes resolved.
        case string(String)
        /// One of `. = , [ ] { }`.
        case mark(Unicode.Scalar)
        /// The end of a line.
        case newline
    }

    var kind: Kind
    var position: TextPosition
    /// How many scalars of the text are before it.
    var offset: Int
}
