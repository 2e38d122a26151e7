/// A token of CSS (CSS Syntax 3, 4) that may be in a colour. White space and comments only separate tokens.
enum CSSToken: Equatable {
    case number(Double)
    case percentage(Double)
    case dimension(Double, unit: String)
    case identifier(String)
    /// The name of a function with the parenthesis that follows it.
    case function(String)
    /// What follows a #.
    case hash(String)
    /// Any other character.
    case mark(Character)
}

/// Reads the tokens of a text in ASCII and lower case, without the escapes of CSS.
struct CSSTokens {
    private var rest: Substring.UTF8View

    private init(_ text: String) { rest = text[...].utf8 }

    static func tokens(of text: String) throws(CSSColorError) -> [CSSToken] {
        var reader = CSSTokens(text)
        var tokens: [CSSToken] = []
        while let token = try reader.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() throws(CSSColorError) -> CSSToken? {
        try skipSpace()
        guard let first = rest.first else { return nil }
        if let number = number() {
            if startsIdentifier { return .dimension(number, unit: name()) }
            guard rest.first == UInt8(ascii: "%") else { return .number(number) }
            rest.removeFirst()
            return .percentage(number)
        }
        if startsIdentifier {
            let name = name()
            guard rest.first == UInt8(ascii: "(") else { return .identifier(name) }
            rest.removeFirst()
            return .function(name)
        }
        rest.removeFirst()
        if first == UInt8(ascii: "#"), rest.first.map(Self.isName) == true { return .hash(name()) }
        return .mark(Character(Unicode.Scalar(first)))
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws(CSSColorError) {
        while true {
            rest = rest.drop { Self.isSpace($0) }
            guard rest.starts(with: "/*".utf8) else { return }
            rest = rest.dropFirst(2)
            while !rest.starts(with: "*/".utf8) {
                guard rest.popFirst() != nil else { throw .openComment }
            }
            rest = rest.dropFirst(2)
        }
    }

    /// Reads a number (CSS Syntax 3, 4.3.12), which has a digit after its point; nil if none starts here.
    private mutating func number() -> Double? {
        let start = rest
        let isSign: (UInt8) -> Bool = { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        if rest.first.map(isSign) == true { rest.removeFirst() }
        let whole = digits()
        if rest.first == UInt8(ascii: "."), rest.dropFirst().first.map(Self.isDigit) == true {
            rest.removeFirst()
            digits()
        } else if whole == 0 {
            rest = start
            return nil
        }
        if rest.first == UInt8(ascii: "e") {
            let exponent = rest
            rest.removeFirst()
            if rest.first.map(isSign) == true { rest.removeFirst() }
            // Without digits, the letter begins a unit.
            if digits() == 0 { rest = exponent }
        }
        let text = Substring(start[..<rest.startIndex])
        return Double(text).map { min(max($0, -Self.maxNumber), Self.maxNumber) }
    }

    /// The greatest number. A program may limit them (CSS Values 4, 5.1); all calculations with this one are finite.
    private static let maxNumber = 1e6

    /// Skips digits, and returns how many there were.
    @discardableResult
    private mutating func digits() -> Int {
        let count = rest.prefix(while: Self.isDigit).count
        rest = rest.dropFirst(count)
        return count
    }

    /// Whether a name starts here: a letter or _, after a hyphen or not, or two hyphens (CSS Syntax 3, 4.3.9).
    private var startsIdentifier: Bool {
        guard let first = rest.first else { return false }
        guard first == UInt8(ascii: "-") else { return Self.isName(first) && !Self.isDigit(first) }
        return rest.dropFirst().first.map { Self.isName($0) && !Self.isDigit($0) } == true
    }

    private mutating func name() -> String {
        let name = Substring(rest.prefix(while: Self.isName))
        rest = rest.dropFirst(name.utf8.count)
        return String(name)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isName(_ byte: UInt8) -> Bool {
        isDigit(byte) || 0x61...0x7a ~= byte || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether this is white space: a space, a tab, or one of the characters that end a line (CSS Syntax 3, 3.3).
    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
}
