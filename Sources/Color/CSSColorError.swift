/// The reason why a text is not a colour in a notation of CSS that Swatchcam reads.
package struct CSSColorError: Error, Equatable, CustomStringConvertible {
    /// A sentence that says what is wrong and what is right. It repeats nothing of the text except names that CSS
    /// defines.
    package let description: String

    init(_ description: String) { self.description = description }

    static let empty = CSSColorError("The colour is empty.")
    static let tooLong = CSSColorError("The colour is longer than \(CSSColor.maxLength) bytes.")
    static let notASCII = CSSColorError("The colour contains characters that no notation has.")
    static let hex = CSSColorError("A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f.")
    static let hexAlpha = CSSColorError("This hexadecimal colour has transparency. Write 3 or 6 digits after #.")
    static let alpha = CSSColorError("Transparent colours cannot be compared: omit the slash and what follows.")
    static let unknownName = CSSColorError(
        "CSS has no colour of this name. A colour is a name in CSS, hexadecimal such as #3fa7d6, or one of "
            + "\(CSSFunction.list).")
    static let unknownFunction = CSSColorError("This notation is not one of \(CSSFunction.list).")

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

    static func notANumber(_ function: CSSFunction, _ component: CSSComponent) -> CSSColorError {
        CSSColorError("\(function.rawValue)(): \(component.name) is not a number.")
    }

    static func unit(_ function: CSSFunction, _ component: CSSComponent) -> CSSColorError {
        CSSColorError(
            "\(function.rawValue)(): \(component.name) must be \(component.hundredPercent == nil ? "in degrees" : "a number or a percentage")."
        )
    }

    static func range(_ function: CSSFunction, _ component: CSSComponent) -> CSSColorError {
        let (least, most) = (component.range.lowerBound, component.range.upperBound)
        return CSSColorError(
            "\(function.rawValue)(): \(component.name) is out of range \(CSSNotation.number(least, 1)) to "
                + "\(CSSNotation.number(most, 1)).")
    }
}
