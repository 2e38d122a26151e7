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
            pages.dashboard(.sample, rate: 4), pages.dashboard(.noCamera, rate: 4),
            pages.kiosk(.sample, rate: 4, show: .overlay), pages.comparison(),
            pages.tool(.calibration, access: .control),
            pages.login(next: "/", problem: nil),
            pages.solid(.white), pages.problem("Title", message: "Message"),
        ]
    }

    private func content(_ name: String, in pages: Pages) async throws -> String {
        let asset = try #require(await pages.resource(.init(path: name, isVersioned: false)), "\(name)")
        return String(decoding: asset.content, as: UTF8.self)
    }

    /// The names of the modules that a script needs before it runs, without itself.
    private func imports(of script: String, in pages: Pages) async throws -> Set<String> {
        var found: Set<String> = []
        var waiting = [script]
        while let name = waiting.popLast() {
            for match in try await content(name, in: pages).matches(of: /(?:from|import) ?"\.\/([^"]+)"/)
            where found.insert(String(match.1)).inserted {
                waiting.append(String(match.1))
            }
        }
        return found
    }

    @Test("every file that a page refers to exists", arguments: [false, true])
    func links(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        var count = 0
        for document in try documents(of: pages) {
            for match in document.matches(of: /(?:href|src)="(\/resources\/[^"]+)"/) {
                let name = try #require(Pages.resourceName(at: String(match.1)))
                #expect(await pages.resource(name) != nil, "\(name.path)")
                count += 1
            }
        }
        #expect(count >= 14)
    }

    @Test("a page preloads the modules that its script imports, and no others", arguments: [false, true])
    func preloads(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        var scripts: Set<String> = []
        for document in try documents(of: pages) {
            guard let source = document.firstMatch(of: /<script type="module" src="[^"]+\/([^"\/]+)">/) else {
                continue
            }
            let script = String(source.1)
            scripts.insert(script)
            let links = document.matches(of: /<link rel="modulepreload" href="[^"]+\/([^"\/]+)">/)
            #expect(try await imports(of: script, in: pages) == Set(links.map { String($0.1) }), "\(script)")
        }
        #expect(scripts == ["dashboard.js", "kiosk.js", "comparison.js", "calibration.js"])
    }

    @Test("a worker is a module of its own beside the script that starts it", arguments: [false, true])
    func worker(hasFolder: Bool) async throws {
        let pages = try pages(hasFolder: hasFolder)
        let script = hasFolder ? "picture.js" : Assets.hasBundles ? "kiosk.js" : "picture.js"
        let code = try await content(script, in: pages)
        let name = try #require(code.firstMatch(of: /new URL\("\.\/([^"]+)", ?import\.meta\.url\)/)?.1)
        #expect(try await !content(String(name), in: pages).isEmpty)
    }

    @Test("with a folder of resources, a script is replaced wherever it is imported")
    func replaced() async throws {
        try folder.write("export const mine = 1;", to: "elements.js")
        let pages = try pages(hasFolder: true)
        #expect(try await content("elements.js", in: pages) == "export const mine = 1;")
        #expect(try await imports(of: "dashboard.js", in: pages).contains("elements.js"))
    }

    @Test(
        "bundles take the place of all modules",
        .enabled(if: Assets.hasBundles, "the scripts are not bundled, because esbuild is not installed"))
    func bundles() {
        #expect(Assets.resources["dashboard.js"] != nil && Assets.resources["elements.js"] == nil)
    }
}
