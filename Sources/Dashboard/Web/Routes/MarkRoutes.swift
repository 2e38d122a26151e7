import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The marks in the history: setting and deleting them.
struct MarkRoutes: Sendable {
    /// The maximum rate of the marks of a client: enough for a person and for most scripts.
    static let maxRate = NetworkRateLimiter.Rate(burst: 20, period: .seconds(1))
    /// The maximum rate of the marks of all clients. Each may cost a write to the disk.
    static let maxRateOfAll = NetworkRateLimiter.Rate(burst: 100, period: .milliseconds(200))

    let shared: SharedState
    let limiter: NetworkRateLimiter

    var routes: [Route] {
        [
            Route(.POST, "/api/marks", "Set a mark", setMark)
                .described(
                    "setMark",
                    "Marks this moment in the history, or one in the last hour. The newest 1,000 marks are kept. If "
                        + "the history is written to a folder, the mark is written before the response is sent. A "
                        + "client may set 20 marks at once, and then one a second.",
                    takes: .json("MarkOrder"),
                    .created("The mark.", "Mark"),
                    .refusal(
                        429, "Too many marks (`too-many-marks`), or too many wrong tokens, came from this address.",
                        headers: [.retryAfter]),
                    .refusal(
                        503,
                        "All clients together have set too many marks (`too-many-marks`), the mark cannot be written "
                            + "to the folder (`mark-not-written`), or Swatchcam is stopping (`unavailable`).",
                        headers: [.retryAfter])),
            Route(
                .DELETE, "/api/marks/{id}",
                parameters: [.number("The number of the mark in `/api/history`.", example: "3")], "Delete a mark",
                deleteMark
            )
            .described(
                "deleteMark",
                "Deletes a mark that a client has set; Swatchcam's own stay. If the history is written to a folder, "
                    + "the deletion is written before the response is sent, and counts as another mark of the client.",
                .ok("The deleted mark.", "Mark"),
                .refusal(404, "No client has set a mark with this number (`mark-not-found`)."),
                .refusal(
                    429, "Too many marks (`too-many-marks`), or too many wrong tokens, came from this address.",
                    headers: [.retryAfter]),
                .refusal(
                    503,
                    "All clients together have set or deleted too many marks (`too-many-marks`), the deletion cannot "
                        + "be written to the folder (`mark-not-written`), or Swatchcam is stopping (`unavailable`).",
                    headers: [.retryAfter])),
        ]
    }

    private func setMark(_ call: Call) async throws -> HTTPResponse {
        let order = try await call.json(MarkOrder.self, keys: ["text", "time"], orRefuse: .badMark)
        guard let text = Mark.text(order.text) else {
            throw HTTPError.badMark("A mark has a text of 1 to \(Mark.maxLength) characters.")
        }
        let now = shared.clocks.date()
        let time = order.time.flatMap(Date.init(timestamp:))
        guard order.time == nil || time.map({ now - MarkOrder.maxAge...now ~= $0 }) == true else {
            throw HTTPError.badMark("The time of a mark lies in the last hour, such as 2026-01-31T12:00:00.000Z.")
        }
        try limiter.takePlaceOfMark(for: call)
        let result = await shared.markRequests.submit(text, at: time, by: call.principal.network?.description ?? "")
        return .json(JSONWriter.data(try result.mapError(HTTPError.init(_:)).get()), status: .created)
    }

    private func deleteMark(_ call: Call) async throws -> HTTPResponse {
        guard let id = call.number, let mark = shared.history.mark(ofClient: id) else { throw HTTPError.noMark }
        try limiter.takePlaceOfMark(for: call)
        let result = await shared.markRequests.delete(mark, by: call.principal.network?.description ?? "")
        return .json(JSONWriter.data(try result.mapError(HTTPError.init(_:)).get()))
    }
}

extension NetworkRateLimiter {
    /// Counts a mark that a client is about to set, delete or cause.
    func takePlaceOfMark(for call: Call) throws(HTTPError) {
        if let refusal = refusal(from: call.client.network) { throw HTTPError(refusal) }
    }
}

private struct MarkOrder: Decodable {
    /// The time by which a mark may be earlier than its request, in seconds: a person writes a note meanwhile.
    static let maxAge = 3600.0

    var text: String
    /// The moment that it marks; nil for the present one.
    var time: String?
}

extension HTTPError {
    fileprivate static let badMark = badMark(
        "Send a JSON object with a text and at most a time, such as {\"text\": \"Reagent added\"}.")

    fileprivate static let noMark = notFound(
        code: "mark-not-found",
        "No client has set a mark with this number. /api/history lists the marks; Swatchcam's own stay.")

    fileprivate static func badMark(_ message: String) -> HTTPError { badRequest(code: "bad-mark", message) }

    fileprivate init(_ refusal: NetworkRateLimiter.Refusal) {
        switch refusal {
        case .network(let time):
            self = .tooManyMarks(
                .tooManyRequests, "You set or delete more than one mark a second. Try again a little later.",
                retryAfter: time / .seconds(1))
        case .all(let time):
            self = .tooManyMarks(
                .serviceUnavailable, "All clients together set or delete too many marks. Try again a little later.",
                retryAfter: time / .seconds(1))
        }
    }

    fileprivate init(_ refusal: MarkRefusal) {
        switch refusal {
        case .share(let time):
            self = .tooManyMarks(
                .tooManyRequests,
                "You have set so many marks today that the rest of the room for them is left to other clients. Try again after midnight (UTC).",
                retryAfter: time)
        case .part(let time):
            self = .tooManyMarks(
                .serviceUnavailable,
                "Clients have used today's room for marks in the folder of the history. Try again after midnight (UTC).",
                retryAfter: time)
        case .notWritten(let reason):
            self = .markNotWritten("The marks are as they were, because the change cannot be written. \(reason)")
        case .tooSlow:
            self = .markNotWritten(
                "The change was not written in time. Look whether the mark is in the history before you try again.")
        case .queueFull:
            self = .markNotWritten("The marks are as they were, because too many changes wait to be written.")
        case .stopping:
            self.init(
                status: .serviceUnavailable, code: "unavailable", message: "Swatchcam is stopping. Try again later.",
                headers: Self.retryAfter(10))
        }
    }

    private static func tooManyMarks(
        _ status: HTTPStatusCode, _ message: String, retryAfter time: Double
    ) -> HTTPError {
        HTTPError(status: status, code: "too-many-marks", message: message, headers: retryAfter(time))
    }

    private static func markNotWritten(_ message: String) -> HTTPError {
        HTTPError(status: .serviceUnavailable, code: "mark-not-written", message: message, headers: retryAfter(60))
    }

    private static func retryAfter(_ time: Double) -> [HTTPHeader: String] {
        [.retryAfter: "\(Int(max(1, time.rounded(.up))))"]
    }
}
