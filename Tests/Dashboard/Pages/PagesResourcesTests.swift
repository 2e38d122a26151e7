import Assets
import Color
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Readings

/// Without a folder of resources, pages use bundles if the build had esbuild. With a folder, even an empty one, they
/// use the single modules.
@Suite("Resources of the pages")
struct PagesResourcesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func pages(hasFolder: Bool) throws -> Pages {
        try Pages(templates: nil, resources: hasFolder ? folder.path : nil)
    }

    /// All pages that have scripts or styles.
    private func documents(of pages: Pages) throws -> [String] {
        try [
            pages.dashboard(.sample), pages.dashboard(.noCamera),
            pages.kiosk(.sample, show: .overlay), pages.comparison(),
            pages.tool(.calibration, .sample), pages.tool(.absorbance, .sample),
            pages.fleet(onKiosk: false), pages.measuring(),
            pages.login(next: "/", problem: nil, at: "/login"),
            pages.solid(.white), pages.problem("Title", message: "Message", at: "/api/x"),
        ]
    }

    private func content(_ name: String, in pages: Pages) async throws -> String {
        let asset = try #require(await pages.resource(.init(path: name, isVersioned: false)), "\(name)")
        return String(decoding: asset.content, as: UTF8.self)
    }

    /// The paths of the modules that a script needs before it runs, without itself.
    private func imports(of script: String, in pages: Pages) async throws -> Set<String> {
        var found: Set<String> = []
        var waiting = [script]
        while let name = waiting.popLast() {
            for match in try await content(name, in: pages).matches(of: /(?:from|import) ?"(\.\.?\/[^"]+)"/) {
                let path = try path(String(match.1), from: name)
                if found.insert(path).inserted { waiting.append(path) }
            }
        }
        return found
    }

    /// Resolves a relative path in a script.
    private func path(_ relative: String, from script: String) throws -> String {
        let url = try #require(URL(string: relative, relativeTo: URL(string: "file:///\(script)")))
        return String(url.absoluteURL.path.dropFirst())
    }

    @Test("every file that a page refers to exists", arguments: [false, true])
    func links(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        var count = 0
        for document in try documents(of: pages) {
            for match in document.matches(of: /(?:href|src)="\.{1,2}(\/resources\/[^"]+)"/) {
                let name = try #require(Pages.resourceName(at: String(match.1)))
                #expect(await pages.resource(name) != nil, "\(name.path)")
                count += 1
            }
        }
        #expect(count >= 14)
    }

    @Test("no page has an absolute address, so that a proxy can show it under any path", arguments: [false, true])
    func relativeAddresses(hasFolder: Bool) throws {
        for document in try documents(of: pages(hasFolder: hasFolder)) {
            let absolute = document.matches(of: /\s(?:href|src|action)="(\/[^"]*|https?:[^"]*)"/)
            #expect(absolute.map { String($0.1) } == [])
        }
    }

    @Test(
        "a page that stands for a deeper path begins its addresses at the root",
        arguments: [
            ("/x", "./"), ("/api/x", "../"), ("/a/b/", "../../"), ("", "./"), ("//", "../"),
            (String(repeating: "/", count: 100), String(repeating: "../", count: 16)),
        ])
    func depth(path: String, root: String) throws {
        let page = try Pages(templates: nil, resources: nil).problem("T", message: "M", at: path)
        #expect(page.contains("href=\"\(root)\">Open the dashboard"))
        #expect(page.contains("href=\"\(root)resources/"))
    }

    @Test("a page preloads the modules that its scripts import, and no others", arguments: [false, true])
    func preloads(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        var scripts: Set<String> = []
        for document in try documents(of: pages) {
            let sources = document.matches(of: /<script type="module" src="\.*(\/resources[^"]+)"/)
            let started = try sources.map { try #require(Pages.resourceName(at: String($0.1))).path }
            scripts.formUnion(started)
            var imported: Set<String> = []
            for script in started { imported.formUnion(try await imports(of: script, in: pages)) }
            let links = document.matches(of: /<link rel="modulepreload" href="\.*(\/resources[^"]+)">/)
            let preloaded = links.compactMap { Pages.resourceName(at: String($0.1))?.path }
            #expect(imported == Set(preloaded), "\(started)")
        }
        let pageNames = ["dashboard", "kiosk", "comparison", "calibration", "absorbance", "fleet"]
        #expect(scripts == Set(pageNames.map { "\($0)/\($0).js" } + ["lib/appearance.js"]))
    }

    @Test("the scripts label each state as the server does", arguments: Reading.State.allCases)
    func stateLabels(state: Reading.State) async throws {
        let script = try await content("lib/formatting.js", in: pages(hasFolder: true))
        #expect(script.contains(#"  "\#(state.rawValue)": "\#(state.label)","#))
    }

    @Test("a worker is a module of its own, and found from every script that starts it", arguments: [false, true])
    func worker(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        let isBundled = !hasFolder && Assets.hasBundles
        for script in isBundled ? ["kiosk/kiosk.js", "dashboard/deferred.js"] : ["lib/picture.js"] {
            let code = try await content(script, in: pages)
            let name = try #require(code.firstMatch(of: /new URL\("([^"]+)", ?import\.meta\.url\)/)?.1)
            #expect(try await !content(try path(String(name), from: script), in: pages).isEmpty)
        }
    }

    @Test("with a folder of resources, a script is replaced wherever it is imported")
    func replaced() async throws {
        try folder.write("export const mine = 1;", to: "lib/elements.js")
        let pages = try pages(hasFolder: true)
        #expect(try await content("lib/elements.js", in: pages) == "export const mine = 1;")
        #expect(try await imports(of: "dashboard/dashboard.js", in: pages).contains("lib/elements.js"))
    }

    @Test(
        "bundles take the place of all modules",
        .enabled(if: Assets.hasBundles, "the scripts are not bundled, because esbuild is not installed"))
    func bundles() {
        #expect(Assets.resources["dashboard/dashboard.js"] != nil && Assets.resources["lib/elements.js"] == nil)
    }
}
