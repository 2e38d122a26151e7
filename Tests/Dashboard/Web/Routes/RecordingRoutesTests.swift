import Color
import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Readings
@testable import State
@testable import Storage

@Suite("The recording of a client", .timeLimit(.minutes(20)))
struct RecordingRoutesTests: RouteTests {
    private let clock = ManualClock()
    let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        let clock = clock
        shared.clocks = clock.clocks
        shared.history = History(revisions: shared.revisions, clocks: clock.clocks)
        shared.recorder = Recorder(
            shared.config, demand: shared.demand, history: shared.history, log: .silent, clocks: clock.clocks)
        app = try WebApp.sample(shared)
    }

    private func record(_ method: HTTPMethod, _ body: String = "{}") async -> HTTPResponse {
        await send(method, "/api/recording", method == .POST ? body : nil)
    }

    private func table(_ query: String) async -> HTTPResponse { await get("/history.csv?recording=" + query) }

    /// Adds a reading of a grey at this moment.
    private func read(_ grey: Double) {
        shared.history.add(
            .sample.with {
                $0.mean = .init(r: grey, g: grey, b: grey)
                $0.time = clock.date
            })
    }

    @Test("before the first recording, there is none, and nothing can be ended or exported")
    func none() async throws {
        #expect(try await text(record(.GET)) == #"{"problem":null,"recording":null}"#)
        #expect(try await refusal(record(.DELETE)) == "404 recording-not-found")
        #expect(try await refusal(table("1")) == "404 recording-not-found")
    }

    @Test("a recording is reported with its name, its times and the length of a row, also when it has ended")
    func document() async throws {
        let started = await record(.POST, #"{"name": " Titration 3 "}"#)
        #expect(started.statusCode == .created)
        let running =
            #""recording":{"endsBy":"2026-12-21T00:00:00.000Z","interval":0.25,"name":"Titration 3","#
            + #""since":"2026-11-20T00:00:00.000Z","until":null}}"#
        #expect(try await text(started).hasSuffix(running))
        #expect(try await text(record(.GET)).hasSuffix(running))
        clock.advance(by: 3601)
        let ended = await record(.DELETE)
        #expect(ended.statusCode == .ok)
        #expect(
            try await text(ended)
                == #"{"problem":null,"recording":{"endsBy":"2026-12-21T00:00:00.000Z","interval":10,"name":"Titration 3","#
                + #""since":"2026-11-20T00:00:00.000Z","until":"2026-11-20T01:00:01.000Z"}}"#)
    }

    @Test("a recording with a duration says when it ends, with the fraction of a second")
    func duration() async throws {
        let started = await record(.POST, #"{"duration": 90.5}"#)
        #expect(try await text(started).contains(#""endsBy":"2026-11-20T00:01:30.500Z""#))
    }

    @Test(
        "a recording lasts 1 s to 31 days, and its name is a text of up to 100 characters",
        arguments: [
            #"{"duration": 0}"#, #"{"duration": 0.99}"#, #"{"duration": -1}"#, #"{"duration": 2678400.1}"#,
            #"{"duration": 1e300}"#, #"{"duration": "60"}"#, #"{"name": 7}"#, #"{"Name": "A"}"#, "[]", "",
            #"{"name": "\#(String(repeating: "x", count: 101))"}"#,
        ])
    func invalid(body: String) async throws {
        #expect(try await refusal(record(.POST, body)) == "400 bad-recording")
        #expect(shared.recorder.running == nil)
    }

    @Test("without a folder of the history, the document says that the recording ends with the program")
    func problem() async throws {
        #expect(try await text(record(.POST)).contains("history.folder"))
    }

    @Test("a second recording is refused with the name of the first")
    func second() async throws {
        _ = await record(.POST, #"{"name": "Titration 3"}"#)
        let refused = await record(.POST)
        #expect(try await refusal(refused) == "409 recording-runs")
        #expect(try await text(refused).contains(#"The recording \"Titration 3\" has been running since 2026-"#))
    }

    @Test("starting and ending count as marks, of which a client may set 20 at once")
    func rate() async throws {
        for _ in 1...10 {
            #expect(await record(.POST).statusCode == .created)
            #expect(await record(.DELETE).statusCode == .ok)
        }
        let refused = await record(.POST)
        #expect(try await refusal(refused) == "429 too-many-marks" && refused.headers[HTTPHeader("Retry-After")] == "1")
        clock.advance(by: 1)
        #expect(await record(.POST).statusCode == .created)
        #expect(await record(.DELETE).statusCode == .tooManyRequests)
        #expect(shared.recorder.running != nil)
    }

    @Test("the table of a recording has the readings of its time, in a file with its name and that time")
    func table() async throws {
        read(10)
        clock.advance(by: 1)
        _ = await record(.POST, #"{"name": "Titration 3"}"#)
        clock.advance(by: 1)
        read(20)
        let running = await table("1")
        #expect(try await text(running).split(separator: "\r\n").count == 2)
        clock.advance(by: 1)
        read(30)
        _ = await record(.DELETE)
        clock.advance(by: 1)
        read(40)
        let response = await table("1&comments=1&separator=;")
        #expect(
            response.headers[HTTPHeader("Content-Disposition")]
                == "attachment; filename=\"swatchcam-Titration-3-20261120T000001Z.csv\"")
        let lines = try await text(response).split(separator: "\r\n")
        #expect(lines.contains("# recording: Titration 3"))
        let marks = lines.filter { $0.hasPrefix("# mark:") }
        #expect(marks.count == 2 && marks[0].hasSuffix("Titration 3: start") && marks[1].hasSuffix("Titration 3: end"))
        let rows = lines.filter { !$0.hasPrefix("#") }.dropFirst().map { $0.split(separator: ";")[6] }
        #expect(rows == ["20.0000", "30.0000"])
    }

    @Test(
        "the name of a recording becomes the name of a file that every system takes",
        arguments: [
            ("", "filename=\"swatchcam-Recording-20261120T000000Z.csv\""),
            ("../a \"b\"\\;c", "filename=\"swatchcam-a-b-c-20261120T000000Z.csv\""),
            ("…", "filename=\"swatchcam-recording-20261120T000000Z.csv\""),
            (
                "Blüte 1",
                "filename=\"swatchcam-Bl-te-1-20261120T000000Z.csv\"; "
                    + "filename*=UTF-8''swatchcam-Bl%C3%BCte-1-20261120T000000Z.csv"
            ),
            (
                String(repeating: "x", count: 100),
                "filename=\"swatchcam-\(String(repeating: "x", count: 40))-20261120T000000Z.csv\""
            ),
        ])
    func fileName(name: String, parameters: String) async throws {
        let body = try JSONEncoder().encode(["name": name])
        _ = await record(.POST, String(decoding: body, as: UTF8.self))
        let response = await table("1")
        #expect(response.headers[HTTPHeader("Content-Disposition")] == "attachment; \(parameters)")
    }

    @Test(
        "the table of a recording has no span, and recording is 0 or 1",
        arguments: ["1&span=1h", "2", ""])
    func invalidTable(query: String) async throws {
        _ = await record(.POST)
        #expect(try await refusal(table(query)) == "400 bad-history")
    }
}
