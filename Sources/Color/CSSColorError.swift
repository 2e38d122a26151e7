/// The reason why a text is not an opaque colour of CSS that Swatchcam reads.
package struct CSSColorError: Error, Equatable, CustomStringConvertible {
    /// A sentence that says what is wrong and what is right. It repeats nothing of the text except names that CSS
    /// defines.
    package let description: String

    private init(_ description: String) { self.description = description }

    static let empty = CSSColorError("The colour is empty.")
    static let tooLong = CSSColorError("The colour is longer than \(CSSColor.maxLength) bytes.")
    static let notASCII = CSSColorError("The colour contains characters that no notation has.")
    static let openComment = CSSColorError("The colour contains a comment that does not end.")
    static let hex = CSSColorError("A hexadecimal colour is # and 3, 4, 6 or 8 of the digits 0 to 9 and a to f.")
    static let alpha = CSSColorError("This colour is not opaque, so it cannot be compared: its alpha must be 1.")
    static let currentColor = CSSColorError("currentcolor is another colour in each place, so it cannot be compared.")
    static let system = CSSColorError("This colour depends on the system and its settings, so it cannot be compared.")
    static let unknownName = CSSColorError(
        "CSS has no colour of this name. A colour is a name in CSS, hexadecimal such as #3fa7d6, or one of "
            + "\(CSSFunction.list).")
    static let space = CSSColorError("The name of a notation and its parenthesis must not be apart.")
    static let unknownFunction = CSSColorError("This notation is not one of \(CSSFunction.list).")
    static let unknownSpace = CSSColorError("color() begins with a space: one of \(CSSColorSpace.list).")

    static func nested(_ function: CSSFunction) -> CSSColorError {
        CSSColorError("\(function.rawValue)(): write numbers instead of calc() and other functions.")
    }

    static func unclosed(_ function: CSSFunction) -> CSSColorError {
        CSSColorError("\(function.rawValue)() needs exactly one closing parenthesis, at its end.")
    }

    static func count(_ function: CSSFunction, _ count: Int) -> CSSColorError {
        CSSColorError("\(function.rawValue)() needs three numbers, not \(count).")
    }

    static func commas(_ function: CSSFunction) -> CSSColorError {
        CSSColorError(
            "\(function.rawValue)(): separate the numbers with spaces\(function.allowsCommas ? ", or all with commas" : "")."
        )
    }

    static func mixed(_ function: CSSFunction) -> CSSColorError {
        CSSColorError(
            function == .rgb
                ? "rgb(): with commas, write three numbers or three percentages."
                : "hsl(): with commas, saturation and lightness must be percentages.")
    }

    static func value(_ function: CSSFunction, _ component: CSSComponent) -> CSSColorError {
        let isAngle = component.hundredPercent == nil
        return CSSColorError(
            "\(function.rawValue)(): \(component.name) must be \(isAngle ? "an angle" : "a number or a percentage").")
    }

    static func alphaValue(_ function: CSSFunction) -> CSSColorError {
        CSSColorError("\(function.rawValue)(): the alpha must be one number or percentage.")
    }
}
