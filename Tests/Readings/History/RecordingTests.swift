import Foundation
import Testing

@testable import Readings

@Suite("A recording")
struct RecordingTests {
    private static let since = Date(timeIntervalSince1970: 1_795_202_402.25)

    private let recording = Recording(name: "Titration 3", since: since)

    @Test(
        "a name is one printable line of up to 100 characters, and an empty one is replaced",
        arguments: [
            (" Titration 3 ", "Titration 3"), ("", "Recording"), (" \t", "Recording"), ("a\r\nb", "a\u{fffd}\u{fffd}b"),
        ])
    func name(text: String, name: String) {
        #expect(Recording.name(text) == name)
    }

    @Test("a name has up to 100 characters", arguments: [(100, true), (101, false)])
    func length(count: Int, isValid: Bool) {
        #expect((Recording.name(String(repeating: "x", count: count)) != nil) == isValid)
    }

    @Test("the longest name leaves room for a mark of its end")
    func mark() {
        #expect(Mark.text(String(repeating: "x", count: Recording.maxLength) + ": start") != nil)
    }

    @Test(
        "a recording ends when it is ended, but not before it began, nor after 31 days",
        arguments: [(60.0, 60.0), (-60, 0), (2_678_400, 2_678_400), (2_764_800, 2_678_400)] as [(Double, Double)])
    func end(after seconds: Double, until: Double) {
        var ended = recording
        #expect(ended.isRunning && ended.until == nil)
        ended.end(at: Self.since + seconds)
        #expect(!ended.isRunning && ended.until == Self.since + until)
    }

    @Test(
        "a recording of an hour ends after an hour, and one of a year after 31 days",
        arguments: [
            (3600.0, 3600.0), (31_536_000, 2_678_400),
        ])
    func duration(wanted: Double, seconds: Double) {
        var limited = Recording(name: "Titration 3", since: Self.since, duration: wanted)
        #expect(limited.latestEnd == Self.since + seconds)
        limited.end(at: Self.since + 40_000_000)
        #expect(limited.until == Self.since + seconds)
    }

    @Test("a recording of an earlier version, without a duration, may run for 31 days")
    func earlier() throws {
        let json = #"{"name":"x","since":"2026-11-20T19:20:02.000Z"}"#
        let stored = try JSONDecoder().decode(Recording.self, from: Data(json.utf8))
        #expect(stored.duration == Recording.maxDuration)
    }

    @Test("a stored recording is the same, whether it runs or has ended")
    func stored() throws {
        var ended = Recording(name: "Titration 3", since: Self.since, duration: 90)
        ended.end(at: Self.since + 60)
        for one in [recording, ended] {
            #expect(try JSONDecoder().decode(Recording.self, from: JSONEncoder().encode(one)) == one)
        }
    }

    @Test(
        "a stored recording that is damaged is refused",
        arguments: [
            "{}", #"{"name":"x"}"#, #"{"name":"x","since":"now"}"#, #"{"name":7,"since":"2026-11-20T19:20:02.000Z"}"#,
            #"{"name":"x","since":"2026-11-20T19:20:02.000Z","until":7}"#,
            #"{"name":"x","since":"2026-11-20T19:20:02.000Z","duration":"long"}"#,
            #"{"name":"\#(String(repeating: "x", count: 101))","since":"2026-11-20T19:20:02.000Z"}"#,
        ])
    func damaged(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Recording.self, from: Data(json.utf8)) }
    }
}
