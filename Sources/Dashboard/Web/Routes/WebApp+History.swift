import Capture
import FlyingFox
import FoundationEssentials
import Gzip
import Handoff
import Readings
import Synchronization
import Untrusted

/// The history: drawing it, exporting it, and setting marks in it.
extension WebApp {
    private static let pointCounts = 1...2000
    private static let standardPoints = 300

    /// Handles `GET /api/history[?span=10m][&points=300]`.
    func showHistory(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        let (span, points) = (try span(of: request), try points(of: request))
        let content = JSONText.data(of: HistoryDocument(sources.history.window(span, intervals: points)))
        var response = HTTPResponse.json(content)
        response.headers[HTTPHeader("Vary")] = "Accept-Encoding"
        guard request.acceptsGzip, let gzipped = Gzip.compress(content) else { return response }
        response.headers[.contentEncoding] = "gzip"
        response.payload = .httpBody(HTTPBodySequence(data: gzipped, suggestedBufferSize: gzipped.count))
        return response
    }

    /// Handles `GET /history.csv[?span=10m][&separator=;][&decimal=,][&comments=1]`.
    func exportHistory(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (span, format) = (try span(of: request), try request.tableFormat())
        let comments = try onlyValue("comments", of: request) ?? "0"
        guard ["0", "1"].contains(comments) else { throw HTTPError.badComments }
        guard let token = downloads.begin() else { throw HTTPError.tooManyDownloads }
        let table = HistoryTable(
            format, hasComments: comments == "1", version: pages.version, reading: sources.readings.value,
            controls: sources.controls.value.controls.settings)
        let result = Mutex(Data())
        await BlockingThread.run(named: "history") { [history = sources.history] in
            let data = table.data(history.rows(span))
            result.withLock { $0 = data }
        } onCancel: {
        }
        let content = result.withLock(\.self)
        var response = HTTPResponse(
            content: Data(), type: "text/csv; charset=utf-8; header=present",
            headers: [
                .cacheControl: "no-store",
                HTTPHeader("Content-Disposition"): "attachment; filename=\"swatchcam-history.csv\"",
            ])
        response.payload = .httpBody(
            HTTPBodySequence(
                from: TokenHoldingBody(content: content, token: token), count: content.count,
                suggestedBufferSize: max(content.count, 1)))
        return response
    }

    /// Handles `POST /api/marks` with `{"text": ...}`.
    func setMark(_ request: HTTPRequest) async throws -> HTTPResponse {
        let mark = try await request.json(MarkRequest.self, orRefuse: .badMark)
        guard let text = Mark.text(mark.text) else { throw HTTPError.badMarkText }
        return .json(sources.history.mark(.user, text), status: .created)
    }

    private func span(of request: HTTPRequest) throws(HTTPError) -> HistorySpan {
        guard let text = try onlyValue("span", of: request) else { return .standard }
        guard let span = HistorySpan(text) else { throw .badSpan }
        return span
    }

    private func points(of request: HTTPRequest) throws(HTTPError) -> Int {
        guard let text = try onlyValue("points", of: request) else { return Self.standardPoints }
        guard let points = Int(text), "\(points)" == text, Self.pointCounts ~= points else { throw .badPoints }
        return points
    }

    /// Returns the only value of a parameter; nil if it is missing.
    private func onlyValue(_ name: String, of request: HTTPRequest) throws(HTTPError) -> String? {
        guard request.values(of: name).count <= 1 else { throw .badHistory("\(name) is given more than once.") }
        return request.parameter(name)
    }
}

/// The body of `POST /api/marks`.
private struct MarkRequest: Decodable {
    var text: String

    private enum CodingKeys: CodingKey, CaseIterable { case text }

    init(from decoder: any Decoder) throws {
        text = try decoder.container(refusingKeysBeyond: CodingKeys.self).decode(String.self, forKey: .text)
    }
}

extension HTTPError {
    fileprivate static func badHistory(_ message: String) -> HTTPError {
        HTTPError(status: .badRequest, code: "bad-history", message: message)
    }

    fileprivate static let badSpan = badHistory(
        "span must be a whole number and s, m, h or d, such as 90s, 10m or 31d, from 10s to 31d.")

    fileprivate static let badPoints = badHistory("points must be a whole number in 1...2000.")

    fileprivate static let badComments = badHistory("comments must be 0 or 1.")

    fileprivate static let tooManyDownloads = HTTPError(
        status: .serviceUnavailable, code: "too-many-downloads",
        message: "\(WebApp.maxDownloads) downloads of the history are under way. Try again when one is complete.")

    fileprivate static let badMark = badMark(
        "Send a JSON object with a text and nothing else, such as {\"text\": \"Reagent added\"}.")

    fileprivate static let badMarkText = badMark("A mark has a text of 1 to \(Mark.maxLength) characters.")

    private static func badMark(_ message: String) -> HTTPError {
        HTTPError(status: .badRequest, code: "bad-mark", message: message)
    }
}
