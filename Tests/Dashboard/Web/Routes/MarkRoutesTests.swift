import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Readings

@Suite("Setting and deleting marks", .timeLimit(.minutes(20)))
struct MarkRoutesTests {
    private let clock = ManualClock()
    private let shared: SharedState
    private let app: WebApp

    init() throws {
        var shared = try SharedState.sample()
        shared.markRequests = MarkRequests(timeout: .seconds(600))
        shared.clocks = clock.clocks
        self.shared = shared
        app = try WebApp.sample(shared)
    }

    /// Sends a request to set a mark, which the folder of the history sets or refuses.
    private func set(_ text: String = "x", time: String? = nil, refusal: MarkRefusal? = nil) async -> HTTPResponse {
        let requests = shared.markRequests
        let folder = Task {
            await requests.wait()
            for request in requests.take() {
                request.reply(refusal.map { .failure($0) } ?? .success(request.change.mark))
            }
        }
        defer { folder.cancel() }
        return await app.handleRequest(
            .sample(
                .POST, "/api/marks", headers: ["Content-Type": "application/json"],
                body: Data(#"{"text": "\#(text)"\#(time.map { #", "time": "\#($0)""# } ?? "")}"#.utf8)))
    }

    private func code(_ response: HTTPResponse) async throws -> String? {
        let document = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        return (document?["error"] as? [String: Any])?["code"] as? String
    }

    @Test("a mark has the time that the client names, as long as that lies in the last hour")
    func time() async throws {
        clock.advance(by: 7200)
        let response = await set(time: "2026-11-20T01:00:00.000Z")
        let mark = try JSONSerialization.jsonObject(with: try await response.bodyData) as? [String: Any]
        #expect(response.statusCode == .created && mark?["time"] as? String == "2026-11-20T01:00:00.000Z")
        for time in ["2026-11-20T00:59:59.999Z", "2026-11-20T02:00:00.001Z", "now", ""] {
            let refused = await set(time: time)
            #expect(try await code(refused) == "bad-mark" && refused.statusCode == .badRequest, "\(time)")
        }
    }

    @Test("a client may set 20 marks at once, and then one a second")
    func rate() async throws {
        for _ in 1...20 { #expect(await set().statusCode == .created) }
        let refused = await set()
        #expect(refused.statusCode == .tooManyRequests && refused.headers[HTTPHeader("Retry-After")] == "1")
        #expect(try await code(refused) == "too-many-marks")
        clock.advance(by: 1)
        #expect(await set().statusCode == .created)
        #expect(await set().statusCode == .tooManyRequests)
    }

    @Test("all clients together may set 100 marks at once, and then five a second")
    func rateOfAll() async throws {
        for network in 0..<100 { #expect(app.marks.refusal(from: IPNetwork("192.0.2.\(network)")) == nil) }
        let refused = await set()
        #expect(refused.statusCode == .serviceUnavailable && refused.headers[HTTPHeader("Retry-After")] == "1")
        #expect(try await code(refused) == "too-many-marks")
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
                guard case .delete(let mark) = request.change else { continue }
                request.reply(refusal.map { .failure($0) } ?? .success(mark))
            }
        }
        defer { folder.cancel() }
        let response = await app.handleRequest(.sample(.DELETE, "/api/marks/\(mark.id)"))
        #expect(response.statusCode == (refusal == nil ? .ok : .serviceUnavailable))
        for _ in 2...20 { #expect(await set().statusCode == .created) }
        #expect(await set().statusCode == .tooManyRequests)
    }

    @Test("only marks of clients can be deleted", arguments: ["1", "2", "0", "-1", "01", "x", "99999999999999999999"])
    func notDeleted(id: String) async throws {
        shared.history.mark(.lost, "The camera is lost.")
        let response = await app.handleRequest(.sample(.DELETE, "/api/marks/\(id)"))
        #expect(try await code(response) == "mark-not-found" && response.statusCode == .notFound)
    }

    @Test(
        "a mark that the folder of the history refuses has an error, and the time after which to try again",
        arguments: [
            (MarkRefusal.share(untilMidnight: 399.5), HTTPStatusCode.tooManyRequests, "too-many-marks", "400"),
            (.part(untilMidnight: 0), .serviceUnavailable, "too-many-marks", "1"),
            (.notWritten("The disk is full."), .serviceUnavailable, "mark-not-written", "60"),
            (.tooSlow, .serviceUnavailable, "mark-not-written", "60"),
            (.queueFull, .serviceUnavailable, "mark-not-written", "60"),
            (.stopping, .serviceUnavailable, "unavailable", "10"),
        ])
    func refused(refusal: MarkRefusal, status: HTTPStatusCode, code: String, retryAfter: String) async throws {
        let response = await set(refusal: refusal)
        #expect(response.statusCode == status && response.headers[HTTPHeader("Retry-After")] == retryAfter)
        #expect(try await self.code(response) == code)
    }
}
