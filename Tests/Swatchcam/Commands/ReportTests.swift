import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Swatchcam

@Suite("Reports of the command status")
struct ReportTests {
    private func response(_ status: Int, _ document: String) -> InstanceResponse {
        InstanceResponse(status: status, body: Data(document.utf8))
    }

    private func report(_ reading: Reading) throws -> [String] {
        let report = try #require(ReadingReport(InstanceResponse(status: 200, body: reading.json())))
        return report.text.components(separatedBy: "\n")
    }

    // MARK: - Health

    @Test("an instance that answers ok is healthy; one that refuses with 503 is not, for the reason that it gives")
    func health() {
        let good = HealthReport(response(200, #"{"status": "ok"}"#))
        #expect(good?.isHealthy == true)
        #expect((good?.verdict, good?.text) == ("healthy", "healthy"))
        let bad = HealthReport(response(503, #"{"error": {"code": "stale", "message": "Too old.\u001b"}}"#))
        #expect(bad?.isHealthy == false)
        #expect((bad?.verdict, bad?.text) == ("not healthy", "not healthy\nToo old.\u{FFFD}"))
    }

    @Test(
        "an answer that Swatchcam does not give is not a health report",
        arguments: [
            (200, #"{"status": "bad"}"#), (200, "ok"), (201, #"{"status": "ok"}"#), (503, #"{"status": "ok"}"#),
            (503, "<html>"), (500, #"{"error": {"code": "stale", "message": "Too old."}}"#),
        ])
    func strange(status: Int, document: String) {
        #expect(HealthReport(response(status, document)) == nil)
    }

    // MARK: - Readings

    @Test("a reading is reported with its state, colour, camera and rates")
    func reading() throws {
        #expect(
            try report(.sample) == [
                "State: live since 2026-11-20T18:40:00.000Z",
                "Colour: #3FA7D6  R: 63 G: 167 B: 214  brightness 0.58",
                "Camera: HD Pro Webcam C920 (/dev/video0), YUYV 640x480",
                "Per second: 15.0 frames, 4.0 readings while somebody watches; 0 frames dropped so far",
            ])
    }

    @Test("a reading without a colour is reported with its reason and notices")
    func noColor() throws {
        #expect(
            try report(.noCamera.with { $0.dropped = 3 }) == [
                "State: no-camera since 1970-01-01T00:00:00.000Z",
                "There is no camera. Connect one.",
                "Per second: 0.0 frames, 4.0 readings while somebody watches; 3 frames dropped so far",
                "Notice: Gain is automatic.",
            ])
    }

    @Test("a camera without a node is reported by its name; a notice's further lines are indented, unlike the report's")
    func indented() throws {
        let lines = try report(
            .noCamera.with {
                $0.camera = .init(id: "id", name: "C920")
                $0.notices = [.init(topic: .automatic, message: "One.\nState: live")]
            })
        #expect(lines[2] == "Camera: C920")
        #expect(lines.suffix(2) == ["Notice: One.", "    State: live"])
    }

    @Test("at most ten notices of at most ten lines are reported")
    func manyNotices() throws {
        let notice = Notice(topic: .automatic, message: Array(repeating: "a", count: 11).joined(separator: "\n"))
        let lines = try report(.noCamera.with { $0.notices = Array(repeating: notice, count: 11) })
        #expect(lines.count == 3 + 10 * 10)
    }

    @Test("numbers of another program are limited to a million")
    func hugeNumbers() throws {
        func lines(_ number: String) throws -> String {
            let document = #"""
                {"state": "live", "since": "now", "hex": "#000000", "rgb": {"r": 1, "g": 2, "b": 3},
                 "brightness": \#(number), "rate": {"capture": \#(number)}, "dropped": 0, "notices": []}
                """#
            return try #require(ReadingReport(response(200, document))).text
        }
        #expect(
            try lines("1e300") == """
                State: live since now
                Colour: #000000  R: 1 G: 2 B: 3  brightness 1000000.00
                Per second: 1000000.0 frames; 0 frames dropped so far
                """)
        #expect(try lines("-1e300").contains("brightness -1000000.00"))
    }

    @Test("a refusal or a document of another form is not a reading, and a success is not a refusal")
    func noReading() {
        #expect(ReadingReport(InstanceResponse(status: 503, body: Reading.sample.json())) == nil)
        #expect(ReadingReport(response(200, #"{"state": "live"}"#)) == nil)
        #expect(ErrorReport(response(200, #"{"error": {"code": "busy", "message": "No."}}"#)) == nil)
        #expect(ErrorReport(response(404, #"{"error": "busy"}"#)) == nil)
    }
}
