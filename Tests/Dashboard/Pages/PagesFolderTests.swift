import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("Pages from a folder")
struct PagesFolderTests {
    private let clock = ManualClock()

    private func dashboard(of pages: Pages) async throws -> String {
        await pages.refresh()
        return try pages.dashboard(.sample)
    }

    @Test("a changed template is used half a second after the last check of the folder, and not before")
    func reload() async throws {
        let folder = try TemporaryFolder(["dashboard.mustache": "one"])
        let pages = try Pages(templates: folder.path, resources: nil, clocks: clock.clocks)
        try folder.write("two, {{hex}}", to: "dashboard.mustache")
        clock.advance(by: .milliseconds(499))
        #expect(try await dashboard(of: pages) == "one")
        clock.advance(by: .milliseconds(1))
        #expect(try await dashboard(of: pages) == "two, #3FA7D6")
    }

    @Test("a changed file is used half a second after the last check of the folder, and not before")
    func reloadResource() async throws {
        let folder = try TemporaryFolder(["style.css": "one"])
        let pages = try Pages(templates: nil, resources: folder.path, clocks: clock.clocks)
        let name = Pages.ResourceName(path: "style.css", isVersioned: false)
        try folder.write("three", to: "style.css")
        try folder.write("new", to: "new.css")
        clock.advance(by: .milliseconds(499))
        #expect(await pages.resource(name)?.content == Data("one".utf8))
        clock.advance(by: .milliseconds(1))
        #expect(await pages.resource(name)?.content == Data("three".utf8))
        #expect(await pages.resource(.init(path: "new.css", isVersioned: false))?.content == Data("new".utf8))
    }

    @Test("a broken template leaves the last good one in use until it is repaired, and is logged once each time")
    func lastGood() async throws {
        let recorder = LogRecorder()
        let folder = try TemporaryFolder(["dashboard.mustache": "good"])
        let pages = try Pages(templates: folder.path, resources: nil, clocks: clock.clocks, log: recorder.log)
        let line =
            "\(folder.path)/dashboard.mustache:1:12: a section is opened, but never closed. "
            + "The last valid version stays in use."
        for (text, shown) in [
            ("text {{#a}}", "good"), ("text {{#a}}", "good"), ("repaired", "repaired"), ("text {{#a}}", "repaired"),
        ] {
            try folder.write(text, to: "dashboard.mustache")
            for _ in 1...2 {
                clock.advance(by: .seconds(1))
                #expect(try await dashboard(of: pages) == shown)
            }
        }
        #expect(recorder.lines == [line, line])
    }

    @Test("if the folder is removed, the pages keep its templates and files, and each is logged once")
    func folderGone() async throws {
        let recorder = LogRecorder()
        let folder = try TemporaryFolder(["dashboard.mustache": "still here"])
        let pages = try Pages(templates: folder.path, resources: folder.path, clocks: clock.clocks, log: recorder.log)
        try FileManager.default.removeItem(at: folder.url)
        for _ in 1...2 {
            clock.advance(by: .seconds(1))
            #expect(try await dashboard(of: pages) == "still here")
            #expect(await pages.resource(.init(path: "dashboard.mustache", isVersioned: false)) != nil)
        }
        let line =
            "\(folder.path): there is no such folder; create it, or remove it from the configuration. "
            + "The last valid version stays in use."
        #expect(recorder.lines == [line, line])
    }

    @Test("a missing folder is refused with its name")
    func noFolder() {
        #expect(throws: PagesError.self) { try Pages(templates: "/nowhere/at/all", resources: nil) }
        #expect(throws: PagesError.self) { try Pages(templates: nil, resources: "/etc/hostname") }
    }
}
