import FoundationEssentials
import Mustache

/// Compiled templates, checked for nesting that would overflow the stack of the renderer.
struct TemplateSet: Sendable {
    static let fileExtension = ".mustache"

    /// The first line of every template, which selects the content type and is not rendered.
    ///
    /// Each template needs it, because the library would render partials and parents with its own content type. It is a
    /// separate line, so that it does not change the columns in error messages.
    private static let preamble = {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        return "{{% CONTENT_TYPE:\(HTMLText.name)}}\n"
    }()

    private let library: MustacheLibrary

    /// Compiles templates.
    /// - Parameters:
    ///   - files: The files by name. Those that end in `.mustache` are templates, named without that extension.
    ///   - location: Returns the location of a file for messages.
    /// - Throws: `PagesError` for the first template that is invalid or nested too deep.
    init(files: [String: Asset], location: (String) -> String) throws(PagesError) {
        var templates: [String: MustacheTemplate] = [:]
        var contents: [TemplateScan.Node: Set<TemplateScan.Node>] = [:]
        let names = files.keys.filter { $0.hasSuffix(Self.fileExtension) }.sorted()
        for file in names {
            guard let content = files[file]?.content else { continue }
            let name = String(file.dropLast(Self.fileExtension.count))
            guard let text = String(data: content, encoding: .utf8) else {
                throw .start(of: location(file), problem: "the file is not UTF-8; save it as UTF-8")
            }
            let scan = try TemplateScan(of: text, name: name, file: location(file))
            for partial in scan.partials where files[partial.name + Self.fileExtension] == nil {
                throw .template(
                    file: location(file), line: partial.line, column: partial.column,
                    problem: "there is no template \(partial.name)\(Self.fileExtension) for {{>\(partial.name)}}")
            }
            contents.merge(scan.contents) { $0.union($1) }
            templates[name] = try Self.compile(text, file: location(file))
        }
        let deep = Self.deepTemplates(in: contents)
        if let file = names.first(where: { deep.contains(.template(String($0.dropLast(Self.fileExtension.count)))) }) {
            throw .nested(file: location(file), limit: TemplateScan.maxDepth)
        }
        library = MustacheLibrary(templates: templates)
    }

    /// Renders a template; returns nil if there is none with that name.
    func render(_ context: [String: Any], with name: String) -> String? {
        library.render(context, withTemplate: name)
    }

    private static func compile(_ text: String, file: String) throws(PagesError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: preamble + text)
        } catch let error as MustacheTemplate.ParserError {
            throw .template(
                file: file, line: max(1, error.context.lineNumber - 1), column: error.context.columnNumber,
                problem: sentence(for: error.error))
        } catch {
            throw .start(of: file, problem: "\(error)")
        }
    }

    private static func sentence(for error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "this closes a section that is not the one last opened"
        case .unfinishedName: "this tag is not closed; end it with }}"
        case .expectedSectionEnd: "a section is opened, but never closed"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection:
            "{{<...}} may contain only {{$blocks}}"
        default: "this is not valid Mustache (\(error))"
        }
    }

    /// Returns the templates and blocks that are nested too deep, including those that contain themselves.
    private static func deepTemplates(
        in contents: [TemplateScan.Node: Set<TemplateScan.Node>]
    ) -> Set<TemplateScan.Node> {
        var deep = contents
        // Each round removes the nodes that contain none of the remaining ones.
        for _ in 0..<TemplateScan.maxDepth {
            let nodes = Set(deep.keys)
            deep = deep.filter { !$0.value.isDisjoint(with: nodes) }
        }
        return Set(deep.keys)
    }
}

/// The content type of every template: text that is escaped for HTML elements and quoted attributes.
///
/// It replaces the library's own content type, which compares grapheme clusters. The library does not escape a `<`
/// after U+0D4E or a quote before U+0301, because each is part of a longer cluster, but a browser sees the `<` and the
/// quote. See docs/upstream/escaping-by-scalar.md.
struct HTMLText: MustacheContentType {
    static let name = "SWATCHCAM-HTML"

    func escapeText(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        // In UTF-8 these bytes always stand for these scalars.
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
