import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("Pages")
struct PagesTests {
    private let clock = TestClock()

    private func render(_ template: String, _ reading: Reading = .sample) async throws -> String {
        let folder = try TemporaryFolder(["dashboard.mustache": template])
        return try await Pages(templates: folder.path, resources: nil, version: "1.2.3").dashboard(reading, rate: 4)
    }

    @Test("the embedded dashboard is rendered in every state", arguments: Reading.State.allCases)
    func embedded(state: Reading.State) async throws {
        let reading = state.hasColor ? Reading.sample : .noCamera
        _ = try await Pages(templates: nil, resources: nil).dashboard(reading.with { $0.state = state }, rate: 4)
    }

    @Test(
        "the dashboard shows the values of a reading",
        arguments: [
            ("state", "live"), ("stateLabel", "Live"), ("hex", "#3FA7D6"), ("r", "63"), ("g", "167"), ("b", "214"),
            ("textColor", "#000000"), ("brightness", "0.58"), ("brightnessPercent", "58"), ("message", ""),
            ("cameraName", "HD Pro Webcam C920"), ("cameraDevice", "/dev/video0"), ("frameFormat", "YUYV"),
            ("frameSize", "640 × 480"), ("captureRate", "15.0"), ("readingRate", "4.0"),
            ("time", "2026-11-20T19:30:00.250Z"), ("sequence", "1042"), ("rate", "4"), ("version", "1.2.3"),
        ])
    func words(key: String, expected: String) async throws {
        #expect(try await render("{{\(key)}}") == expected)
    }

    @Test(
        "the dashboard explains why there is no colour",
        arguments: [
            ("hex", "–"), ("r", "–"), ("brightness", "–"), ("cameraName", "–"), ("frameSize", "–"),
            ("captureRate", "–"), ("textColor", ""), ("stateLabel", "No camera"),
            ("message", "There is no camera. Connect one."),
        ])
    func words(withoutColor key: String, expected: String) async throws {
        #expect(try await render("{{\(key)}}", .noCamera) == expected)
    }

    @Test(
        "the template gets the values that it can show",
        arguments: [
            (Reading.sample, "live color"), (.sample.with { $0.state = .testPattern }, "live pattern color"),
            (.noCamera, ""),
        ])
    func flags(reading: Reading, expected: String) async throws {
        let template =
            "{{#isLive}}live {{/isLive}}{{#isTestPattern}}pattern {{/isTestPattern}}{{#hasColor}}color{{/hasColor}}"
        #expect(try await render(template, reading) == expected)
    }

    @Test("the name of a camera is escaped")
    func escaping() async throws {
        let reading = Reading.sample.with { $0.camera?.name = #"<script>alert("1")</script>"# }
        #expect(try await render("{{cameraName}}", reading) == "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;")
    }

    @Test("the built-in dashboard and kiosk escape every text from outside", arguments: HostileText.all)
    func hostileText(hostile: HostileText) async throws {
        let pages = try Pages(templates: nil, resources: nil)
        let text = hostile.text
        let live = Reading.sample.with {
            $0.camera = .init(id: text, name: text, device: text)
            $0.notices = [.init(topic: .drift, message: text)]
            $0.effect = text
            $0.message = text
        }
        let dashboard = try await pages.dashboard(live, rate: 4)
        // Name, device, notice and message are texts of elements; the effect is an attribute.
        for part in [
            "id=\"camera-name\">\(hostile.escaped)</p>", "id=\"camera-device\">\(hostile.escaped)</p>",
            "data-topic=\"drift\">\(hostile.escaped)</p>", "id=\"remark\">\(hostile.escaped)</p>",
            "data-effect=\"\(hostile.escaped)\"",
        ] {
            #expect(dashboard.count(of: part) == 1)
        }
        let dark = Reading.noCamera.with { $0.message = text }
        let message = "id=\"message\">\(hostile.escaped)</p>"
        #expect(try await pages.kiosk(dark, rate: 4, showsPicture: false).count(of: message) == 1)
        let notice = "id=\"notice-message\">\(hostile.escaped)</p>"
        #expect(try await pages.dashboard(dark, rate: 4).count(of: notice) == 1)
        let login = try await pages.login(next: text, problem: text)
        #expect(login.count(of: "name=\"next\" value=\"\(hostile.escaped)\"") == 1)
        #expect(login.count(of: "role=\"alert\">\(hostile.escaped)</p>") == 1)
    }

    @Test(
        "the reading's JSON in the page contains nothing that could end the script element",
        arguments: HostileText.all.map(\.text) + ["</script><b>", "\u{0D4E}</script>", "a\u{2028}b\u{2029}c\u{2027}d"])
    func readingJSON(name: String) async throws {
        let json = try await render("{{{readingJSON}}}", .sample.with { $0.camera?.name = name })
        #expect(json.unicodeScalars.allSatisfy { !["<", ">", "&", "\u{2028}", "\u{2029}"].contains($0) })
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let decoded = try #require((object["camera"] as? [String: Any])?["name"] as? String)
        #expect(Array(decoded.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test("a changed template is used half a second after the last check of the folder, and not before")
    func reload() async throws {
        let folder = try TemporaryFolder(["dashboard.mustache": "one"])
        let pages = try Pages(templates: folder.path, resources: nil) { [clock] in clock.now }
        try folder.write("two, {{hex}}", to: "dashboard.mustache")
        clock.advance(by: .milliseconds(499))
        #expect(try await pages.dashboard(.sample, rate: 4) == "one")
        clock.advance(by: .milliseconds(1))
        #expect(try await pages.dashboard(.sample, rate: 4) == "two, #3FA7D6")
    }

    @Test("a changed file is used half a second after the last check of the folder, and not before")
    func reloadResource() async throws {
        let folder = try TemporaryFolder(["style.css": "one"])
        let pages = try Pages(templates: nil, resources: folder.path) { [clock] in clock.now }
        let name = Pages.ResourceName(path: "style.css", isVersioned: false)
        try folder.write("three", to: "style.css")
        try folder.write("new", to: "new.css")
        clock.advance(by: .milliseconds(499))
        #expect(await pages.resource(name)?.content == Data("one".utf8))
        clock.advance(by: .milliseconds(1))
        #expect(await pages.resource(name)?.content == Data("three".utf8))
        #expect(await pages.resource(.init(path: "new.css", isVersioned: false))?.content == Data("new".utf8))
    }

    @Test("a broken template leaves the last good one in use until it is repaired")
    func lastGood() async throws {
        let folder = try TemporaryFolder(["dashboard.mustache": "good"])
        let pages = try Pages(templates: folder.path, resources: nil) { [clock] in clock.now }
        try folder.write("broken {{#a}}", to: "dashboard.mustache")
        clock.advance(by: .seconds(1))
        #expect(try await pages.dashboard(.sample, rate: 4) == "good")
        clock.advance(by: .seconds(1))
        #expect(try await pages.dashboard(.sample, rate: 4) == "good")
        try folder.write("mended", to: "dashboard.mustache")
        clock.advance(by: .seconds(1))
        #expect(try await pages.dashboard(.sample, rate: 4) == "mended")
    }

    @Test("the pages keep their templates and files if the folder is removed")
    func folderGone() async throws {
        let folder = try TemporaryFolder(["dashboard.mustache": "still here"])
        let pages = try Pages(templates: folder.path, resources: folder.path) { [clock] in clock.now }
        try FileManager.default.removeItem(at: folder.url)
        clock.advance(by: .seconds(1))
        #expect(try await pages.dashboard(.sample, rate: 4) == "still here")
        #expect(await pages.resource(.init(path: "dashboard.mustache", isVersioned: false)) != nil)
    }

    @Test("a missing folder is refused with its name")
    func noFolder() {
        #expect(throws: PagesError.self) { try Pages(templates: "/nowhere/at/all", resources: nil) }
        #expect(throws: PagesError.self) { try Pages(templates: nil, resources: "/etc/hostname") }
    }
}
