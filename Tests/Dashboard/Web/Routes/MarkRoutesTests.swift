import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage

@Suite("Setting and deleting marks", .timeLimit(.minutes(20)))
struct MarkRoutesTests: RouteTests {
    private let clock = ManualClock()
    let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        shared.markRequests = try MarkRequests(timeout: .seconds(600))
        shared.clocks = clock.clocks
        app = try WebApp.sample(shared)
    }

    /// Sends a request to set a mark, which the folder of the history sets or refuses.
    private func set(_ text: String = "x", time: String? = nil, refusal: MarkRefusal? = nil) async -> HTTPResponse {
        let requests = shared.markRequests
        let folder = Task {
            await requests.wait()
            for request in requests.take() {
                request.reply(refusal.map { .failure($0) } ?? .success(request.command.change.mark))
            }
        }
        defer { folder.cancel() }
        return await send(
            .POST, "/api/marks", #"{"text": "\#(text)"\#(time.map { #", "time": "\#($0)""# } ?? "")}"#)
    }

    /// Returns the refusal of a mark and the seconds after which to try again.
    private func wait(_ response: HTTPResponse) async throws -> String {
        "\(try await refusal(response)), \(response.headers[HTTPHeader("Retry-After")] ?? "never")"
    }

    @Test("a mark has the time that the client names, as long as that lies in the last hour")
    func time() async throws {
        clock.advance(by: 7200)
        let response = await set(time: "2026-11-20T01:00:00.000Z")
        #expect(response.statusCode == .created)
        #expect(try await json(response)["time"] as? String == "2026-11-20T01:00:00.000Z")
        for time in ["2026-11-20T00:59:59.999Z", "2026-11-20T02:00:00.001Z", "now", ""] {
            #expect(try await refusal(set(time: time)) == "400 bad-mark", "\(time)")
        }
    }

    @Test("a client may set 20 marks at once, and then one a second")
    func rate() async throws {
        for _ in 1...20 { #expect(await set().statusCode == .created) }
        #expect(try await wait(set()) == "429 too-many-marks, 1")
        clock.advance(by: 1)
        #expect(await set().statusCode == .created)
        #expect(await set().statusCode == .tooManyRequests)
    }

    @Test("all clients together may set 100 marks at once, and then five a second")
    func rateOfAll() async throws {
        for network in 0..<100 { #expect(app.marks.refusal(from: IPNetwork("192.0.2.\(network)")) == nil) }
        #expect(try await wait(set()) == "503 too-many-marks, 1")
        clock.advance(by: 1)
        for network in 0..<5 { #expect(app.marks.refusal(from: IPNetwork("192.0.2.\(network)")) == nil) }
        #expect(await set().statusCode == .serviceUnavailable)
    }

    @Test("a mark without a valid text does not count")
    func invalid() async {
        for _ in 1...30 { #expect(await set(" ").statusCode == .badRequest) }
        #expect(await set().statusCode == .created)
    }

    @Test(
        "a client's mark is deleted by its number, and counts as another mark", arguments: [nil, MarkRefusal.tooSlow])
    func deleted(refusal: MarkRefusal?) async throws {
        let mark = shared.history.mark(.user, "Wrong beaker", by: "192.0.2.1")
        let requests = shared.markRequests
        let folder = Task {
            await requests.wait()
            for request in requests.take() {
                guard case .delete(let mark) = request.command.change else { continue }
                request.reply(refusal.map { .failure($0) } ?? .success(mark))
            }
        }
        defer { folder.cancel() }
        let response = await send(.DELETE, "/api/marks/\(mark.id)")
        #expect(response.statusCode == (refusal == nil ? .ok : .serviceUnavailable))
        for _ in 2...20 { #expect(await set().statusCode == .created) }
        #expect(await set().statusCode == .tooManyRequests)
    }

    @Test("only marks of clients can be deleted", arguments: ["1", "2", "0", "-1", "01", "x", "99999999999999999999"])
    func notDeleted(id: String) async throws {
        shared.history.mark(.lost, "The camera is lost.")
        #expect(try await refusal(send(.DELETE, "/api/marks/\(id)")) == "404 mark-not-found")
    }

    @Test(
        "a mark that the folder of the history refuses has an error, and the time after which to try again",
        arguments: [
            (MarkRefusal.share(untilMidnight: 399.5), "429 too-many-marks, 400"),
            (.part(untilMidnight: 0), "503 too-many-marks, 1"),
            (.notWritten("The disk is full."), "503 mark-not-written, 60"), (.tooSlow, "503 mark-not-written, 60"),
            (.queueFull, "503 mark-not-written, 60"), (.stopping, "503 unavailable, 10"),
        ])
    func refused(reason: MarkRefusal, expected: String) async throws {
        #expect(try await wait(set(refusal: reason)) == expected)
    }
}
