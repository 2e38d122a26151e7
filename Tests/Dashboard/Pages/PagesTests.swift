import Color
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import Readings

@Suite("Pages")
struct PagesTests {
    private func render(_ template: String, _ reading: Reading = .sample) async throws -> String {
        let folder = try TemporaryFolder(["dashboard.mustache": template])
        return try Pages(templates: folder.path, resources: nil, version: "1.2.3").dashboard(reading)
    }

    @Test(
        "a page has the configured title, or else the name of the program",
        arguments: [(nil, "Swatchcam "), ("A <b> & c", "A &lt;b&gt; &amp; c A &lt;b&gt; &amp; c")])
    func title(title: String?, expected: String) throws {
        let folder = try TemporaryFolder(["measuring.mustache": "{{siteName}} {{webTitle}}"])
        let pages = try Pages(templates: folder.path, resources: nil, title: { title })
        #expect(try pages.measuring() == expected)
    }

    @Test("the title of every page ends with the configured one")
    func titles() throws {
        let pages = try Pages(templates: nil, resources: nil, title: { "Workshop" })
        let all = [
            try pages.dashboard(.sample), try pages.kiosk(.sample, show: .color),
            try pages.login(next: "/", problem: nil, at: "/login"),
            try pages.problem("Not found", message: "x", at: "/x"),
            try pages.solid(.white), try pages.tool(.calibration, .sample), try pages.comparison(),
            try pages.measuring(),
            try pages.elsewhere([], listensOn: "127.0.0.1", needsToken: false),
        ]
        for page in all { #expect(page.contains(" · Workshop</title>")) }
    }

    @Test(
        "another device is told the file to edit, and the address to open then", arguments: ["/etc/<b>.toml", nil])
    func otherDevice(file: String?) throws {
        let page = try Pages(templates: nil, resources: nil).elsewhere(
            [], future: ["http://192.168.1.7:8080/"], listensOn: "127.0.0.1", needsToken: false, file: file)
        #expect(page.contains(file == nil ? "Make this file" : ">/<wbr>etc/<wbr>&lt;b&gt;.toml</pre>"))
        #expect(page.contains("open <code>http://192.168.1.7:8080/</code>, and enter the token"))
    }

    @Test("the embedded dashboard is rendered in every state", arguments: Reading.State.allCases)
    func embedded(state: Reading.State) async throws {
        let reading = state.hasColor ? Reading.sample : .noCamera
        let page = try Pages(templates: nil, resources: nil).dashboard(reading.with { $0.state = state })
        #expect(page.contains(#"<span id="state">\#(state.label)</span>"#))
    }

    @Test(
        "the dashboard shows the values of a reading",
        arguments: [
            ("state", "live"), ("stateLabel", "Live"), ("hex", "#3FA7D6"), ("r", "63"), ("g", "167"), ("b", "214"),
            ("textColor", "#000000"), ("brightnessPercent", "58"), ("message", ""),
            ("cameraName", "HD Pro Webcam C920"), ("cameraDevice", "/dev/video0"), ("frameFormat", "YUYV"),
            ("frameSize", "640 × 480"), ("captureRate", "15.0"), ("readingRate", "4.0"),
            ("oklch", "oklch(0.689 0.116 231.5)"), ("colorName", "blue"),
            ("nearestColor", "nearest in CSS: deepskyblue ΔE 7.2"),
            ("time", "2026-11-20T19:30:00.250Z"), ("sequence", "1042"), ("version", "1.2.3"),
        ])
    func words(key: String, expected: String) async throws {
        #expect(try await render("{{\(key)}}") == expected)
    }

    @Test(
        "the dashboard explains why there is no colour",
        arguments: [
            ("hex", "–"), ("r", "–"), ("cameraName", "–"), ("frameSize", "–"),
            ("captureRate", "–"), ("textColor", ""), ("oklch", "–"), ("colorName", ""), ("nearestColor", ""),
            ("stateLabel", "No camera"),
            ("message", "There is no camera. Connect one."), ("readingRate", "–"),
        ])
    func words(withoutColor key: String, expected: String) async throws {
        #expect(try await render("{{\(key)}}", .noCamera.with { $0.rate.reading = 4 }) == expected)
    }

    @Test(
        "the template gets flags for the test pattern and a colour",
        arguments: [
            (Reading.sample, "color"), (.sample.with { $0.state = .testPattern }, "pattern color"), (.noCamera, ""),
        ])
    func flags(reading: Reading, expected: String) async throws {
        let template = "{{#isTestPattern}}pattern {{/isTestPattern}}{{#hasColor}}color{{/hasColor}}"
        #expect(try await render(template, reading) == expected)
    }

    @Test(
        "the time of a reading is the local one, and has the date unless it is of today",
        arguments: [
            ("2026-11-20T22:15:09.000Z", "20:30:00"), ("2026-11-20T23:15:09.000Z", "2026-11-20 20:30:00"),
            ("2026-11-19T22:15:09.000Z", "2026-11-20 20:30:00"),
        ])
    func clockTime(now: String, expected: String) throws {
        let (zone, now) = (try #require(TimeZone(secondsFromGMT: 3600)), try #require(Date(timestamp: now)))
        #expect(Pages.clockTime(of: Reading.sample.time, now: now, in: zone) == expected)
    }

    /// Returns pages whose every template is the given one.
    private func pages(_ template: String) throws -> (pages: Pages, folder: TemporaryFolder) {
        let names = ["dashboard", "kiosk", "login", "solid", "comparison", "measuring"]
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ("\($0).mustache", template) }))
        return (try Pages(templates: folder.path, resources: nil, version: "1.2.3"), folder)
    }

    @Test("only the template of a page with a colour gets the flag and the values of one")
    func hasColor() async throws {
        let (pages, folder) = try pages("{{#hasColor}}color {{/hasColor}}{{hex}} {{textColor}} {{version}}")
        #expect(try pages.comparison() == "  1.2.3")
        #expect(try pages.measuring() == "  ")
        #expect(try pages.login(next: "/", problem: nil, at: "/login") == "  ")
        #expect(try pages.solid(.white) == "color #FFFFFF #000000 ")
        #expect(try pages.kiosk(.sample, show: .color) == "color #3FA7D6 #000000 1.2.3")
        withExtendedLifetime(folder) {}
    }

    @Test("the login page shows the next page, and a problem if there is one")
    func login() async throws {
        let (pages, folder) = try pages("{{next}} {{#problem}}problem: {{.}}{{/problem}}")
        #expect(try pages.login(next: "/test", problem: nil, at: "/login") == "/test ")
        #expect(try pages.login(next: "/", problem: "Wrong.", at: "/login") == "/ problem: Wrong.")
        withExtendedLifetime(folder) {}
    }

    @Test("the dashboard shows what its user may do")
    func access() async throws {
        let (pages, folder) = try pages(
            "{{access}}{{#mayChange}} change{{/mayChange}}{{#canLogOut}} leave{{/canLogOut}}{{#hasFleet}} fleet{{/hasFleet}}"
        )
        #expect(try pages.dashboard(.sample) == "control change")
        #expect(try pages.dashboard(.sample, access: .view, canLogOut: true) == "view leave")
        #expect(try pages.dashboard(.sample, hasFleet: true) == "control change fleet")
        withExtendedLifetime(folder) {}
    }

    @Test(
        "the kiosk shows the picture, the overlay or the history only on request",
        arguments: [
            (Config.Kiosk.Show.color, ""), (.picture, "picture"), (.overlay, "picture overlay"), (.history, " history"),
        ])
    func kiosk(show: Config.Kiosk.Show, shown: String) throws {
        let (pages, folder) = try pages(
            "{{#showsPicture}}picture{{/showsPicture}}{{#showsOverlay}} overlay{{/showsOverlay}}"
                + "{{#showsHistory}} history{{/showsHistory}}")
        #expect(try pages.kiosk(.sample, show: show) == shown)
        withExtendedLifetime(folder) {}
    }

    @Test("the template gets the size that people see, the effects, the notices and the assumed colorimetry")
    func lists() async throws {
        let template =
            "{{frameSize}} {{effect}} {{#effects}}{{name}},{{/effects}} {{#notices}}{{topic}}: {{message}}{{/notices}} "
            + "{{colorimetry}}"
        let reading = Reading.sample.with {
            $0.notices = [.init(topic: .automatic, message: "Gain.")]
            $0.frame?.picture = .init(width: 480, height: 640)
        }
        #expect(
            try await render(template, reading)
                == "480 × 640 none none,red-to-blue,grayscale,invert,posterize,threshold,edges,false-color,zebra,targets, "
                + "automatic: Gain. BT.601, limited range")
    }

    @Test("the built-in dashboard and kiosk escape every text from outside", arguments: HostileText.all)
    func hostileText(hostile: HostileText) async throws {
        let pages = try Pages(templates: nil, resources: nil)
        let text = hostile.text
        let live = Reading.sample.with {
            $0.camera = .init(id: text, name: text, device: text)
            $0.notices = [.init(topic: .automatic, message: text)]
            $0.effect = text
            $0.message = text
        }
        let dashboard = try pages.dashboard(live)
        // Name, device, notice and message are texts of elements; the effect is an attribute.
        for part in [
            "id=\"camera-name\">\(hostile.escaped)</dd>", "id=\"camera-device\">\(hostile.escaped)</dd>",
            "data-topic=\"automatic\">\(hostile.escaped)</p>", "id=\"remark\">\(hostile.escaped)</p>",
            "data-effect=\"\(hostile.escaped)\"",
        ] {
            #expect(dashboard.count(of: part) == 1)
        }
        let dark = Reading.noCamera.with { $0.message = text }
        let message = "id=\"message\">\(hostile.escaped)</p>"
        #expect(try pages.kiosk(dark, show: .color).count(of: message) == 1)
        let notice = "id=\"notice-message\">\(hostile.escaped)</p>"
        #expect(try pages.dashboard(dark).count(of: notice) == 1)
        let login = try pages.login(next: text, problem: text, at: "/login")
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

    @Test(
        "the JSON of cameras, controls and settings in the page contains nothing that could end the script element",
        arguments: ["camerasJSON", "controlsJSON", "settingsJSON"])
    func documents(key: String) async throws {
        let folder = try TemporaryFolder(["dashboard.mustache": "{{{\(key)}}}"])
        let page = try Pages(templates: folder.path, resources: nil).dashboard(
            .sample, cameras: Data(#"["camerasJSON","</script>"]"#.utf8),
            controls: Data(#"["controlsJSON","</script>"]"#.utf8), settings: Data(#"["settingsJSON","</script>"]"#.utf8)
        )
        #expect(page == #"["\#(key)","\u003c/script\u003e"]"#)
    }

    @Test(
        "the measured rate of readings is shown only if it is at least half of the configured rate",
        arguments: [(4.0, "4.0"), (2.0, "2.0"), (1.9, "–"), (0.1, "–"), (0.0, "–")])
    func unmeasuredRate(reading: Double, expected: String) async throws {
        #expect(try await render("{{readingRate}}", .sample.with { $0.rate.reading = reading }) == expected)
    }
}
