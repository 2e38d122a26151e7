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
            (String(repeating: "x", count: 100), String(repeating: "x", count: 100)),
            (String(repeating: "x", count: 101), nil),
        ] as [(String, String?)])
    func name(text: String, name: String?) {
        #expect(Recording.name(text) == name)
    }

    @Test("the longest name leaves room for a mark of its end")
    func mark() {
        #expect(Mark.text(String(repeating: "x", count: Recording.maxLength) + ": start") != nil)
    }

    @Test(
        "a recording ends when it is ended, but not before it began, nor after its duration, which is 31 days at most",
        arguments: [
            (nil, 60, 60), (nil, -60, 0), (nil, 2_678_400, 2_678_400), (nil, 2_764_800, 2_678_400),
            (3600, 40_000_000, 3600), (31_536_000, 40_000_000, 2_678_400),
        ] as [(Double?, Double, Double)])
    func end(duration: Double?, after seconds: Double, until: Double) {
        var ended = duration.map { Recording(name: "Titration 3", since: Self.since, duration: $0) } ?? recording
        #expect(ended.isRunning && ended.until == nil)
        #expect(ended.latestEnd == Self.since + min(duration ?? 2_678_400, 2_678_400))
        ended.end(at: Self.since + seconds)
        #expect(!ended.isRunning && ended.until == Self.since + until)
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
