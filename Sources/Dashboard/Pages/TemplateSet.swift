import Foundation
import Mustache

/// Compiled templates, looked through for what would hang or crash the renderer.
struct TemplateSet: Sendable {
    static let fileExtension = ".mustache"

    /// Stands before every template, on a line of its own, so that no column changes and the line disappears. Each
    /// template needs it: the library starts every partial and every parent with its own content type again.
    private static let preamble = {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        return "{{% CONTENT_TYPE:\(HTMLText.name)}}\n"
    }()

    private let library: MustacheLibrary

    /// - Parameters:
    ///   - files: by their name; those that end in `.mustache` are templates, called by their name without it.
    ///   - location: where a file is, for messages.
    init(files: [String: Asset], location: (String) -> String) throws(PagesError) {
        var templates: [String: MustacheTemplate] = [:]
        var graph: [TemplateScan.Node: Set<TemplateScan.Node>] = [:]
        let names = files.keys.filter { $0.hasSuffix(Self.fileExtension) }.sorted()
        for file in names {
            guard let content = files[file]?.content else { continue }
            let name = String(file.dropLast(Self.fileExtension.count))
            let text = try Self.text(content, file: location(file))
            let scan = try TemplateScan(of: text, name: name, file: location(file))
            for partial in scan.partials where files[partial.name + Self.fileExtension] == nil {
                throw .template(
                    file: location(file), line: partial.line, column: partial.column,
                    problem: "there is no template \(partial.name)\(Self.fileExtension) for {{>\(partial.name)}}")
            }
            for edge in scan.edges { graph[edge.from, default: []].insert(edge.to) }
            templates[name] = try Self.compile(text, file: location(file))
        }
        for file in names {
            let name = String(file.dropLast(Self.fileExtension.count))
            if let chain = Self.cycle(from: .template(name), in: graph) {
                throw .cycle(file: location(file), chain: chain.map(\.description))
            }
        }
        library = MustacheLibrary(templates: templates)
    }

    /// The template, rendered; nil when there is none of that name.
    func render(_ context: [String: Any], with name: String) -> String? {
        library.render(context, withTemplate: name)
    }

    private static func text(_ content: Data, file: String) throws(PagesError) -> String {
        guard let text = String(data: content, encoding: .utf8) else {
            throw .template(file: file, line: 1, column: 1, problem: "the file is not UTF-8; save it as UTF-8")
        }
        return text
    }

    private static func compile(_ text: String, file: String) throws(PagesError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: preamble + text)
        } catch let error as MustacheTemplate.ParserError {
            throw .template(
                file: file, line: max(1, error.context.lineNumber - 1), column: error.context.columnNumber,
                problem: sentence(for: error.error))
        } catch {
            throw .template(file: file, line: 1, column: 1, problem: "\(error)")
        }
    }

    private static func sentence(for error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "this closes a section that is not the one last opened"
        case .unfinishedName: "the tag is not closed properly; it ends with }}"
        case .expectedSectionEnd: "a section is opened and never closed"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection:
            "inside {{<...}} only {{$blocks}} may stand"
        default: "this is not Mustache (\(error))"
        }
    }

    /// A path from a node back to itself, if one starts there.
    private static func cycle(
        from start: TemplateScan.Node, in graph: [TemplateScan.Node: Set<TemplateScan.Node>]
    ) -> [TemplateScan.Node]? {
        var finished: Set<TemplateScan.Node> = []
        var path: [TemplateScan.Node] = []
        func visit(_ node: TemplateScan.Node) -> [TemplateScan.Node]? {
            if let first = path.firstIndex(of: node) { return Array(path[first...]) + [node] }
            guard finished.insert(node).inserted else { return nil }
            path.append(node)
            defer { path.removeLast() }
            for next in graph[node, default: []].sorted(by: { $0.description < $1.description }) {
                if let found = visit(next) { return found }
            }
            return nil
        }
        return visit(start)
    }
}
