/// A parser of the opaque colours of CSS Color 4: names, hexadecimal, and the functions of `CSSFunction`.
///
/// It is stricter than a browser: what a browser would clamp to its range is an error here.
package enum CSSColor {
    /// The length of the longest text that is read, in bytes.
    static let maxLength = 64

    /// Parses a colour, and returns it in CIELAB.
    /// - Throws: The first mistake in the text.
    package static func parse(_ text: String) throws(CSSColorError) -> CIELab {
        guard text.utf8.count <= maxLength else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 == 9 || 0x20...0x7e ~= $0 }) else { throw .notASCII }
        let words = text.lowercased().split { $0 == " " || $0 == "\t" }
        guard let first = words.first else { throw .empty }
        if first.hasPrefix("#") {
            guard words.count == 1 else { throw .hex }
            return try hex(first.dropFirst())
        }
        let joined = words.joined(separator: " ")
        guard let open = joined.firstIndex(of: "(") else {
            guard let color = NamedColor.named(joined) else { throw .unknownName }
            return color.lab
        }
        guard let function = CSSFunction(rawValue: String(joined[..<open])) else { throw .unknownFunction }
        let rest = joined[joined.index(after: open)...]
        guard rest.last == ")", !rest.dropLast().contains(where: { $0 == ")" || $0 == "(" }) else {
            throw .unclosed(function)
        }
        let values = try numbers(rest.dropLast(), of: function)
        return function.color(values[0], values[1], values[2])
    }

    /// Parses three or six digits (CSS Color 4, 5.2).
    private static func hex(_ digits: Substring) throws(CSSColorError) -> CIELab {
        if digits.count == 4 || digits.count == 8, digits.allSatisfy(\.isHexDigit) { throw .hexAlpha }
        let six = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
        guard let color = RGB8(hex: six), !six.hasPrefix("#") else { throw .hex }
        return CIELab(RGB(color))
    }

    private static func numbers(_ text: Substring, of function: CSSFunction) throws(CSSColorError) -> [Double] {
        guard !text.contains("/") else { throw .alpha }
        let parts: [Substring]
        let hasCommas = text.contains(",")
        if hasCommas {
            guard function.allowsCommas else { throw .commas(function) }
            parts = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
        } else {
            parts = text.split(separator: " ")
        }
        guard parts.count == 3 else { throw .count(function, parts.count) }
        guard !parts.contains(where: { $0.contains(" ") }) else { throw .commas(function) }
        var values: [Double] = []
        for (part, component) in zip(parts, function.components) {
            values.append(try value(of: part, component, function, allowsNone: !hasCommas))
        }
        return values
    }

    private static func value(
        of part: Substring, _ component: CSSComponent, _ function: CSSFunction, allowsNone: Bool
    ) throws(CSSColorError) -> Double {
        // A missing component counts as 0 (CSS Color 4, 4.4).
        if part == "none", allowsNone { return 0 }
        let end = part.utf8.lastIndex { 0x30...0x39 ~= $0 }.map(part.utf8.index(after:)) ?? part.startIndex
        guard let number = CSSNumber.parse(part[..<end]) else { throw .notANumber(function, component) }
        let scaled: Double
        switch (part[end...], component.hundredPercent) {
        case ("", _): scaled = number
        case ("%", let hundredPercent?): scaled = number / 100 * hundredPercent
        case ("deg", nil): scaled = number
        default: throw .unit(function, component)
        }
        guard component.range.contains(scaled) else { throw .range(function, component) }
        return component.normalized(scaled)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

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
