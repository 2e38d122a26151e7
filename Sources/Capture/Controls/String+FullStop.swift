extension String {
    /// The text with a full stop at its end, unless a question mark ends it.
    var withFullStop: String { hasSuffix("?") ? self : self + "." }
}
