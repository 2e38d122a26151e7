/// A parser of the opaque colours of CSS Color 4: names, hexadecimal, and the functions of `CSSFunction`.
///
/// It reads ASCII, and neither escapes nor `calc()`.
package enum CSSColor {
    /// The length of the longest text that is read, in bytes.
    static let maxLength = 128

    /// Parses a colour, and returns it in CIELAB.
    /// - Throws: The first mistake in the text.
    package static func parse(_ text: String) throws(CSSColorError) -> CIELab {
        guard text.utf8.count <= maxLength else { throw .tooLong }
        guard text.utf8.allSatisfy({ CSSTokens.isSpace($0) || 0x20...0x7e ~= $0 }) else { throw .notASCII }
        let tokens = try CSSTokens.tokens(of: text.lowercased())
        switch (tokens.first, tokens.dropFirst()) {
        case (nil, _): throw .empty
        case (.hash(let digits), let rest) where rest.isEmpty: return try hex(digits)
        case (.hash, _), (.mark("#"), _): throw .hex
        case (.identifier(let name), let rest) where rest.isEmpty: return try named(name)
        case (.identifier, let rest) where rest.first == .mark("("): throw .space
        case (.function(let name), let rest):
            guard let function = CSSFunction(name: name) else { throw .unknownFunction }
            return try color(function, rest)
        default: throw .unknownName
        }
    }

    /// Parses the digits after # (CSS Color 4, 5.2).
    private static func hex(_ digits: String) throws(CSSColorError) -> CIELab {
        let pairs = digits.utf8.count < 5 ? digits.map { "\($0)\($0)" }.joined() : digits
        guard [6, 8].contains(pairs.utf8.count), pairs.allSatisfy(\.isHexDigit), let color = RGB8(hex: pairs.prefix(6)),
            let alpha = pairs.utf8.count == 8 ? UInt8(pairs.suffix(2), radix: 16) : .max
        else { throw .hex }
        guard alpha == .max else { throw .alpha }
        return CIELab(RGB(color))
    }

    private static func named(_ name: String) throws(CSSColorError) -> CIELab {
        if let color = NamedColor.named(name) { return color.lab }
        switch name {
        case "transparent": throw .alpha
        case "currentcolor": throw .currentColor
        default: throw systemColors.contains(name) ? .system : .unknownName
        }
    }

    /// Parses what follows the opening parenthesis of a function.
    private static func color(
        _ function: CSSFunction, _ tokens: ArraySlice<CSSToken>
    ) throws(CSSColorError) -> CIELab {
        var rest = tokens
        for case .function in rest { throw .nested(function) }
        guard rest.popLast() == .mark(")"), !rest.contains(.mark("(")), !rest.contains(.mark(")")) else {
            throw .unclosed(function)
        }
        var space = CSSColorSpace.srgb
        if function == .color {
            guard case .identifier(let name)? = rest.popFirst(), let named = CSSColorSpace(rawValue: name) else {
                throw .unknownSpace
            }
            space = named
        }
        let hasCommas = rest.contains(.mark(","))
        let parts = hasCommas ? try commaSeparated(rest, of: function) : try slashSeparated(rest, of: function)
        if let alpha = parts.alpha { try checkOpaque(alpha, function, allowsNone: !hasCommas) }
        guard parts.values.count == 3 else { throw .count(function, parts.values.count) }
        let components = function.components(in: space)
        var values: [Double] = []
        for (token, component) in zip(parts.values, components) {
            // A missing component counts as 0 (CSS Color 4, 4.4).
            guard let value = token == none && !hasCommas ? 0 : component.value(of: token) else {
                throw .value(function, component)
            }
            values.append(value)
        }
        if hasCommas { try checkLegacy(parts.values, function) }
        return function.color(values[0], values[1], values[2], in: space)
    }

    private typealias Parts = (values: [CSSToken], alpha: CSSToken?)
    private static let none = CSSToken.identifier("none")

    /// Reads the values of the modern syntax, separated by nothing but white space, and the alpha after a slash.
    private static func slashSeparated(
        _ tokens: ArraySlice<CSSToken>, of function: CSSFunction
    ) throws(CSSColorError) -> Parts {
        guard let slash = tokens.firstIndex(of: .mark("/")) else { return (Array(tokens), nil) }
        let alpha = tokens[slash...].dropFirst()
        guard alpha.count == 1 else { throw .alphaValue(function) }
        return (Array(tokens[..<slash]), alpha.first)
    }

    /// Reads the values of the legacy syntax, in which a fourth one is the alpha.
    private static func commaSeparated(
        _ tokens: ArraySlice<CSSToken>, of function: CSSFunction
    ) throws(CSSColorError) -> Parts {
        let parts = tokens.split(separator: .mark(","), omittingEmptySubsequences: false)
        let values = parts.compactMap { $0.count == 1 ? $0.first : nil }
        guard function.allowsCommas, values.count == parts.count else { throw .commas(function) }
        return values.count == 4 ? (Array(values.prefix(3)), values.last) : (values, nil)
    }

    private static func checkOpaque(
        _ alpha: CSSToken, _ function: CSSFunction, allowsNone: Bool
    ) throws(CSSColorError) {
        // A missing alpha counts as 0; one of more than 1 is clamped to 1 (CSS Color 4, 4.2, 4.4).
        switch alpha {
        case .number(let number): guard number >= 1 else { throw .alpha }
        case .percentage(let percentage): guard percentage >= 100 else { throw .alpha }
        default: throw alpha == none && allowsNone ? .alpha : .alphaValue(function)
        }
    }

    /// With commas, rgb() has either numbers or percentages, and hsl() percentages (CSS Color 4, 5.1, 7).
    private static func checkLegacy(_ values: [CSSToken], _ function: CSSFunction) throws(CSSColorError) {
        let percentages = values.count { if case .percentage = $0 { true } else { false } }
        let allowed = function == .rgb ? [0, 3] : [2]
        guard allowed.contains(percentages) else { throw .mixed(function) }
    }

    /// The colours that depend on the system and its settings (CSS Color 4, 6.2 and appendix A).
    private static let systemColors: Set<String> = [
        "accentcolor", "accentcolortext", "activetext", "buttonborder", "buttonface", "buttontext", "canvas",
        "canvastext", "field", "fieldtext", "graytext", "highlight", "highlighttext", "linktext", "mark", "marktext",
        "selecteditem", "selecteditemtext", "visitedtext", "activeborder", "activecaption", "appworkspace",
        "background", "buttonhighlight", "buttonshadow", "captiontext", "inactiveborder", "inactivecaption",
        "inactivecaptiontext", "infobackground", "infotext", "menu", "menutext", "scrollbar", "threeddarkshadow",
        "threedface", "threedhighlight", "threedlightshadow", "threedshadow", "window", "windowframe", "windowtext",
    ]
}
