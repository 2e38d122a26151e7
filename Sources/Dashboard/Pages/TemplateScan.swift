/// The tags of a Mustache template that can contain other tags when it is rendered: partials, blocks and sections.
///
/// The library recurses into them without a limit, and would overflow the stack. ``TemplateSet`` bounds their depth.
/// The scan refuses tags that it cannot follow, such as partials named by the data and changes of the delimiters. It
/// also refuses a template that sets its own content type, which could switch off escaping.
struct TemplateScan {
    /// A use of a partial.
    struct Partial {
        var name: String
        var line: Int
        var column: Int
    }

    /// A template or a block, by its name.
    enum Node: Hashable {
        case template(String)
        case block(String)
    }

    /// The deepest nesting of sections in a template, and of templates and blocks in each other.
    static let maxDepth = 16

    private(set) var partials: [Partial] = []
    /// The templates and blocks that this template and each of its blocks contain.
    private(set) var contents: [Node: Set<Node>] = [:]

    private let template: Node
    private let file: String
    private var line = 1
    private var column = 1
    /// The open sections, with the names of those that are blocks.
    private var open: [String?] = []

    /// Scans a template.
    /// - Parameters:
    ///   - name: The name by which partials refer to the template.
    ///   - file: The name of the file in messages.
    /// - Throws: `PagesError.template` at the first tag that is refused or not closed.
    init(of text: String, name: String, file: String) throws(PagesError) {
        template = .template(name)
        self.file = file
        var rest = Substring(text)
        while let start = rest.firstRange(of: "{{") {
            advance(over: rest[..<start.lowerBound])
            // `{{{name}}}` ends with three braces. The third is skipped as text.
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw problem("this tag is not closed; end it with }}")
            }
            try read(rest[start.upperBound..<end.lowerBound])
            advance(over: rest[start.lowerBound..<end.upperBound])
            rest = rest[end.upperBound...]
        }
    }

    private mutating func read(_ tag: Substring) throws(PagesError) {
        guard let kind = tag.first else { return }
        let name = tag.dropFirst().trimming(while: \.isWhitespace)
        switch kind {
        case ">", "<":
            guard !name.hasPrefix("*") else {
                throw problem("this partial takes its name from the data; write the name of a template")
            }
            contain(.template(name))
            partials.append(Partial(name: name, line: line, column: column))
            if kind == "<" { try enter(nil) }
        case "$":
            contain(.block(name))
            try enter(name)
        case "#", "^":
            try enter(nil)
        case "/":
            _ = open.popLast()
        case "=":
            throw problem("delimiters other than {{ and }} are not supported")
        case "%":
            throw problem(
                "{{% ...}} is not supported, because every template is HTML; write {{{name}}} to insert HTML unescaped")
        default:
            break
        }
    }

    private mutating func enter(_ block: String?) throws(PagesError) {
        guard open.count < Self.maxDepth else { throw problem("sections are nested more than \(Self.maxDepth) deep") }
        open.append(block)
    }

    private mutating func contain(_ node: Node) {
        contents[template, default: []].insert(node)
        for case let block? in open { contents[.block(block), default: []].insert(node) }
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
