import Foundation
import Testing

@testable import Dashboard

@Suite("Templates")
struct TemplateSetTests {
    private func compile(_ templates: [String: String]) throws(PagesError) -> TemplateSet {
        var files: [String: Asset] = [:]
        for (name, text) in templates { files[name + ".mustache"] = Asset(content: Data(text.utf8)) }
        return try TemplateSet(files: files, location: { "/my/" + $0 })
    }

    @Test("a template may use partials and inheritance")
    func partials() throws {
        let set = try compile([
            "dashboard": "{{<base}}{{$content}}hi {{>part/name}}{{/content}}{{/base}}",
            "base": "<{{$content}}default{{/content}}>", "part/name": "{{name}}", "unused": "x",
        ])
        #expect(set.render(["name": "you"], with: "dashboard") == "<hi you>")
    }

    private static func sections(_ count: Int) -> String {
        String(repeating: "{{#a}}", count: count) + String(repeating: "{{/a}}", count: count)
    }

    @Test(
        "a broken template is refused with the place of the problem in the user's text",
        arguments: [
            ("{{#open}}\nnever closed", "2:13", "never closed"), ("a\n  {{name", "2:3", "not closed"),
            ("{{#a}}{{/b}}", "1:10", "not the one last opened"), ("é\n{{=<% %>=}}", "2:1", "delimiters"),
            ("{{>*name}}", "1:1", "takes its name from the data"), ("ab{{>*name}}", "1:3", "takes its name"),
            ("text\n  {{> missing }}", "2:3", "there is no template missing.mustache for {{>missing}}"),
            (sections(17), "1:97", "sections are nested more than 16 deep"), ("a\n\n {{b}} {{name", "3:8", ""),
            ("x{{name x}}", "1:9", ""), ("\n{{#a}}\n  {{/b}}", "3:6", ""), ("a\r\nb{{name x}}", "2:11", ""),
            ("{{#a}}", "1:7", ""), ("{{#a}}\n\n", "3:1", ""),
        ])
    func broken(template: String, place: String, problem: String) {
        let error = #expect(throws: PagesError.self) { try compile(["dashboard": template]) }
        #expect(error?.description.hasPrefix("/my/dashboard.mustache:\(place): ") == true)
        #expect(problem.isEmpty || error?.description.contains(problem) == true)
    }

    @Test("sections are accepted up to 16 levels deep")
    func deepSections() throws {
        _ = try compile(["dashboard": Self.sections(16) + Self.sections(16)])
    }

    @Test(
        "a template that contains itself is refused",
        arguments: [
            ["dashboard": "{{>dashboard}}"],
            ["dashboard": "{{>a}}", "a": "{{>b}}", "b": "{{#x}}{{>a}}{{/x}}"],
            ["dashboard": "{{$b}}{{<base}}{{/base}}{{>part}}{{/b}}", "base": "", "part": "{{$b}}{{/b}}"],
            ["dashboard": "{{<base}}{{$b}}{{$b}}x{{/b}}{{/b}}{{/base}}", "base": "{{$b}}{{/b}}"],
            ["dashboard": "{{<base}}{{$b}}{{>part}}{{/b}}{{/base}}", "base": "{{$b}}{{/b}}", "part": "{{$b}}{{/b}}"],
        ])
    func cycles(templates: [String: String]) {
        let error = #expect(throws: PagesError.self) { try compile(templates) }
        guard case .nested = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("partials are accepted up to 16 levels deep, and refused beyond that", arguments: [16, 17])
    func depth(levels: Int) throws {
        var templates = ["\(levels)": "end"]
        for level in 0..<levels { templates[level == 0 ? "dashboard" : "\(level)"] = "{{>\(level + 1)}}" }
        if levels == 16 {
            #expect(try compile(templates).render([:], with: "dashboard") == "end")
        } else {
            #expect(throws: PagesError.nested(file: "/my/dashboard.mustache", limit: 16)) { try compile(templates) }
        }
    }

    @Test("a template may name itself in a comment, and a partial may be used twice")
    func noCycle() throws {
        let set = try compile(["dashboard": "{{! {{>dashboard}}{{>a}}{{>b}}", "a": "a{{>b}}", "b": "b"])
        #expect(set.render([:], with: "dashboard") == "abb")
    }

    @Test(
        "characters with a meaning in HTML are escaped in sections, partials, parents and blocks",
        arguments: HostileText.all)
    func escapingEverywhere(hostile: HostileText) throws {
        let set = try compile([
            "dashboard": "{{<base}}{{$block}}1{{name}}{{>part}}{{/block}}{{/base}}{{#list}}2{{.}}{{/list}}3{{name}}",
            "base": "4{{name}}{{$block}}{{/block}}5{{name}}{{$other}}6{{name}}{{/other}}",
            "part": "7{{name}}{{^none}}8{{name}}{{/none}}",
        ])
        let page = try #require(set.render(["name": hostile.text, "list": [hostile.text]], with: "dashboard"))
        let expected = "41785623".map { "\($0)\(hostile.escaped)" }.joined()
        #expect(Array(page.utf8) == Array(expected.utf8))
    }

    @Test(
        "a template that sets a content type is refused, because that may turn escaping off",
        arguments: ["TEXT", "HTML", "SWATCHCAM-HTML"])
    func pragma(type: String) {
        let error = #expect(throws: PagesError.self) {
            try compile(["dashboard": "{{>part}}", "part": "text\n  {{% CONTENT_TYPE: \(type) }}\n{{name}}"])
        }
        #expect(error?.description.hasPrefix("/my/part.mustache:2:3: {{% ...}} is not supported") == true)
    }

    @Test(
        "white space at the start of a template is kept",
        arguments: [
            ("{{#a}}\nx\n{{/a}}\n", "x\n"), ("\nx", "\nx"), ("  x", "  x"), ("{{>part}}\nx", "1\n2\nx"),
            ("  {{>part}}\nx", "  1\n  2\nx"), ("{{! comment }}\nx", "x"), ("\u{301}x", "\u{301}x"), ("", ""),
        ])
    func whiteSpace(template: String, expected: String) throws {
        let set = try compile(["dashboard": template, "part": "1\n2\n"])
        #expect(set.render(["a": true], with: "dashboard") == expected)
    }

    @Test("a template that is not UTF-8 is refused")
    func encoding() {
        #expect(
            throws: PagesError.template(
                file: "dashboard.mustache", line: 1, column: 1, problem: "the file is not UTF-8; save it as UTF-8")
        ) {
            try TemplateSet(files: ["dashboard.mustache": Asset(content: Data([0xC3, 0x28]))], location: { $0 })
        }
    }
}
