import Foundation
import Testing

@testable import Swatchcam

@Suite("Templates")
struct TemplateSetTests {
    private func compile(_ templates: [String: String]) throws(PagesError) -> TemplateSet {
        var files: [String: Asset] = [:]
        for (name, text) in templates { files[name + ".mustache"] = Asset(content: Data(text.utf8)) }
        return try TemplateSet(files: files, location: { "/my/" + $0 })
    }

    @Test("may use partials and inherit")
    func partials() throws {
        let set = try compile([
            "dashboard": "{{<base}}{{$content}}hi {{>part/name}}{{/content}}{{/base}}",
            "base": "<{{$content}}default{{/content}}>", "part/name": "{{name}}", "unused": "x",
        ])
        #expect(set.render(["name": "you"], with: "dashboard") == "<hi you>")
    }

    @Test(
        "that are broken are refused with file, line and column",
        arguments: [
            ("{{#open}}\nnever closed", "never closed"), ("a\n  {{name", "not closed"),
            ("{{#a}}{{/b}}", "not the one last opened"), ("{{=<% %>=}}", "delimiters"),
            ("text\n  {{>*name}}", "not by one from the data"), ("\n{{>missing}}", "no template missing.mustache"),
            (String(repeating: "{{#a}}", count: 65) + String(repeating: "{{/a}}", count: 65), "nested"),
        ])
    func broken(template: String, problem: String) {
        let error = #expect(throws: PagesError.self) { try compile(["dashboard": template]) }
        #expect(error?.description.contains(problem) == true)
        #expect(error?.description.prefixMatch(of: #/\/my\/dashboard\.mustache:\d+:\d+: /#) != nil)
    }

    @Test("say where a partial is that there is none of")
    func position() {
        #expect(
            throws: PagesError.template(
                file: "/my/dashboard.mustache", line: 2, column: 3,
                problem: "there is no template missing.mustache for {{>missing}}")
        ) { try compile(["dashboard": "text\n  {{> missing }}"]) }
    }

    @Test(
        "that contain themselves are refused",
        arguments: [
            ["dashboard": "{{>dashboard}}"],
            ["dashboard": "{{>a}}", "a": "{{>b}}", "b": "{{#x}}{{>a}}{{/x}}"],
            ["dashboard": "{{<base}}{{$b}}{{$b}}x{{/b}}{{/b}}{{/base}}", "base": "{{$b}}{{/b}}"],
            ["dashboard": "{{<base}}{{$b}}{{>part}}{{/b}}{{/base}}", "base": "{{$b}}{{/b}}", "part": "{{$b}}{{/b}}"],
        ])
    func cycles(templates: [String: String]) {
        let error = #expect(throws: PagesError.self) { try compile(templates) }
        guard case .cycle = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("may name themselves in a comment, and be used twice")
    func noCycle() throws {
        let set = try compile(["dashboard": "{{! {{>dashboard}}{{>a}}{{>b}}", "a": "a{{>b}}", "b": "b"])
        #expect(set.render([:], with: "dashboard") == "abb")
    }

    @Test("that are no UTF-8 are refused")
    func encoding() {
        #expect(throws: PagesError.self) {
            try TemplateSet(files: ["dashboard.mustache": Asset(content: Data([0xC3, 0x28]))], location: { $0 })
        }
    }
}
