/// The tags of one Mustache template that decide whether rendering ends: partials and blocks.
///
/// The library follows a partial into itself until the stack is gone, so templates are looked through before it sees
/// them. What cannot be followed in the text, names from the data and changed delimiters, is not accepted, and neither
/// is a choice of how text is escaped.
struct TemplateScan {
    /// A use of a partial.
    struct Partial {
        var name: String
        var line: Int
        var column: Int
    }

    private(set) var partials: [Partial] = []
    /// Who contains whom: `template`, and `block` by its name.
    private(set) var edges: [(from: Node, to: Node)] = []

    enum Node: Hashable, CustomStringConvertible {
        case template(String)
        case block(String)

        var description: String {
            switch self {
            case .template(let name): "{{>\(name)}}"
            case .block(let name): "{{$\(name)}}"
            }
        }
    }

    /// Deeper sections than anyone writes; the library's parser takes a stack frame for each.
    private static let deepest = 64

    private let file: String
    private var line = 1
    private var column = 1
    /// Open sections, with the name of those that are blocks.
    private var open: [String?] = []

    /// - Parameters:
    ///   - name: what partials call the template.
    ///   - file: what messages call it.
    init(of text: String, name: String, file: String) throws(PagesError) {
        self.file = file
        var rest = Substring(text)
        while let start = rest.firstRange(of: "{{") {
            advance(over: rest[..<start.lowerBound])
            // `{{{name}}}` ends with three; the third is skipped as text.
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw problem("this tag is not closed; it ends with }}")
            }
            try read(rest[start.upperBound..<end.lowerBound], in: name)
            advance(over: rest[start.lowerBound..<end.upperBound])
            rest = rest[end.upperBound...]
        }
    }

    private mutating func read(_ tag: Substring, in template: String) throws(PagesError) {
        guard let kind = tag.first else { return }
        let name = tag.dropFirst().trimming(while: \.isWhitespace)
        switch kind {
        case ">", "<":
            guard !name.hasPrefix("*") else {
                throw problem("a partial must be called by its name, not by one from the data")
            }
            contain(.template(name), in: template)
            partials.append(Partial(name: name, line: line, column: column))
            if kind == "<" { try enter(nil) }
        case "$":
            contain(.block(name), in: template)
            try enter(name)
        case "#", "^":
            try enter(nil)
        case "/":
            _ = open.popLast()
        case "=":
            throw problem("delimiters other than {{ and }} are not supported")
        case "%":
            // `CONTENT_TYPE:TEXT` would switch off escaping for the rest of the template.
            throw problem(
                "{{% ...}} is not supported: every template is HTML; write {{{name}}} for what must not be escaped")
        default:
            break
        }
    }

    private mutating func enter(_ block: String?) throws(PagesError) {
        guard open.count < Self.deepest else { throw problem("sections are nested more than \(Self.deepest) deep") }
        open.append(block)
    }

    private mutating func contain(_ node: Node, in template: String) {
        edges.append((.template(template), node))
        for case let block? in open { edges.append((.block(block), node)) }
    }

    private func problem(_ problem: String) -> PagesError {
        .template(file: file, line: line, column: column, problem: problem)
    }

    private mutating func advance(over text: Substring) {
        for character in text {
            column += 1
            if character.isNewline { (line, column) = (line + 1, 1) }
        }
    }
}

extension Substring {
    fileprivate func trimming(while isDropped: (Character) -> Bool) -> String {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
