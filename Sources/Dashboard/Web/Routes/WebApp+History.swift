import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Untrusted

/// The history: drawing it, exporting it, and setting and deleting marks in it.
extension WebApp {
    private static let pointCounts = 1...2000
    private static let standardPoints = 300

    /// Handles `GET /api/history[?span=10m][&points=300]`.
    func showHistory(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let (span, points) = (try span(of: request), try points(of: request))
        let hasProbes = try wantsWholeProbes(request)
        let history = shared.history
        let begins = shared.config.value.effective.history.folder == nil ? history.start : nil
        let version = "\(history.version) \(begins == nil)"
        var document = Document(key: "/api/history \(span.seconds) \(points) \(hasProbes)", version: version) {
            let window = history.window(span, intervals: points, withProbes: hasProbes)
            return JSONWriter.data(HistoryDocument(window: window, begins: begins, hasProbes: hasProbes))
        }
        document.isCompressible = true
        return try await send(document, to: principal.key, request)
    }

    /// Handles `GET /history.csv[?span=10m][&recording=1][&separator=;][&decimal=,][&bom=1][&comments=1]`.
    func exportHistory(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let (span, format) = (try span(of: request), try request.tableFormat())
        let hasComments = try flag("comments", of: request)
        let recording = try flag("recording", of: request) ? try recording(insteadOf: request) : nil
        let (history, reading) = (shared.history, shared.readings.value)
        let version = "\(history.version) \(shared.controls.revision)"
        let controls = shared.controls.value.controls.valuesByName
        let document = Document(
            key: "/history.csv \(recording?.key ?? "\(span.seconds)") \(format) \(hasComments)",
            version: version,
            type: "text/csv; charset=utf-8; header=present",
            headers: [
                .cacheControl: "no-store",
                HTTPHeader("Content-Disposition"):
                    "attachment; \(recording?.fileName ?? "filename=\"swatchcam-history.csv\"")",
            ]
        ) { [version = pages.version] in
            HistoryTable(
                format, hasComments: hasComments, version: version, reading: reading, controls: controls,
                recording: recording?.name
            )
            .data(recording.map(history.rows) ?? history.rows(span))
        }
        return try await send(document, to: principal.key, request)
    }

    /// The maximum rate of the marks of a client: enough for a person and for most scripts.
    static let maxMarkRate = NetworkRateLimiter.Rate(burst: 20, period: .seconds(1))
    /// The maximum rate of the marks of all clients. Each may cost a write to the disk.
    static let maxMarkRateOfAll = NetworkRateLimiter.Rate(burst: 100, period: .milliseconds(200))

    /// Handles `POST /api/marks` with `{"text": ...}`, and optionally the `time`.
    func setMark(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let order = try await request.json(MarkOrder.self, keys: ["text", "time"], orRefuse: .badMark)
        guard let text = Mark.text(order.text) else { throw HTTPError.badMarkText }
        let now = shared.clocks.date()
        let time = order.time.flatMap(Date.init(timestamp:))
        guard order.time == nil || time.map({ now - MarkOrder.maxAge...now ~= $0 }) == true else {
            throw HTTPError.badMarkTime
        }
        try takePlaceOfMark(of: principal.network)
        let result = await shared.markRequests.submit(text, at: time, by: principal.network?.description ?? "")
        return .json(JSONWriter.data(try result.mapError(HTTPError.init(_:)).get()), status: .created)
    }

    /// Handles `DELETE /api/marks/{id}`, which answers with the deleted mark.
    func deleteMark(_ id: Substring, _ principal: Principal) async throws -> HTTPResponse {
        guard let id = Self.number(id), let mark = shared.history.mark(ofClient: id) else { throw HTTPError.noMark }
        try takePlaceOfMark(of: principal.network)
        let result = await shared.markRequests.delete(mark, by: principal.network?.description ?? "")
        return .json(JSONWriter.data(try result.mapError(HTTPError.init(_:)).get()))
    }

    /// Counts a mark that a client is about to set, delete or cause.
    func takePlaceOfMark(of network: IPNetwork?) throws(HTTPError) {
        if let refusal = marks.refusal(from: network) { throw HTTPError(refusal) }
    }

    private func span(of request: HTTPRequest) throws(HTTPError) -> HistorySpan {
        guard let text = request.parameter("span") else { return .standard }
        guard let span = HistorySpan(text) else { throw .badSpan }
        return span
    }

    /// Returns the newest recording, which the rows are to come from instead of a span.
    private func recording(insteadOf request: HTTPRequest) throws(HTTPError) -> Recording {
        guard request.parameter("span") == nil else { throw .badHistory("Send span or recording, not both.") }
        guard let recording = shared.recorder.recording.value else { throw .noRecording }
        return recording
    }

    /// Returns whether a parameter is 1 instead of 0 or missing.
    private func flag(_ name: String, of request: HTTPRequest) throws(HTTPError) -> Bool {
        switch request.parameter(name) {
        case "1": true
        case "0", nil: false
        default: throw .badHistory("\(name) must be 0 or 1.")
        }
    }

    private func points(of request: HTTPRequest) throws(HTTPError) -> Int {
        guard let text = request.parameter("points") else { return Self.standardPoints }
        guard let points = Int(text), "\(points)" == text, Self.pointCounts ~= points else { throw .badPoints }
        return points
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
    fileprivate static func badHistory(_ message: String) -> HTTPError { badRequest(code: "bad-history", message) }

    fileprivate static let badSpan = badHistory(
        "span must be a whole number and s, m, h or d, such as 90s, 10m or 31d, from 10s to 31d.")

    fileprivate static let badPoints = badHistory("points must be a whole number in 1...2000.")

    fileprivate static let badMark = badMark(
        "Send a JSON object with a text and at most a time, such as {\"text\": \"Reagent added\"}.")

    fileprivate static let noMark = notFound(
        code: "mark-not-found",
        "No client has set a mark with this number. /api/history lists the marks; Swatchcam's own stay.")

    fileprivate static let badMarkText = badMark("A mark has a text of 1 to \(Mark.maxLength) characters.")

    fileprivate static let badMarkTime = badMark(
        "The time of a mark lies in the last hour, such as 2026-01-31T12:00:00.000Z.")

    private static func badMark(_ message: String) -> HTTPError { badRequest(code: "bad-mark", message) }

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
        HTTPError(
            status: .serviceUnavailable, code: "mark-not-written", message: message, headers: retryAfter(60))
    }

    private static func retryAfter(_ time: Double) -> [HTTPHeader: String] {
        [.retryAfter: "\(Int(max(1, time.rounded(.up))))"]
    }
}

extension Recording {
    /// The part of a document's key that says which recording it is about.
    fileprivate var key: String { "\(since.timestamp) \(until?.timestamp ?? "") \(name)" }

    /// The maximum length of its name in the name of a file, in characters.
    private static let maxFileNameLength = 40

    /// The parameters of `Content-Disposition` with the name of the file (RFC 6266): the name of the recording, in which
    /// everything but letters and digits becomes a hyphen, and its start. Only `filename*` has letters beyond ASCII.
    fileprivate var fileName: String {
        let time = since.timestamp.prefix(19).filter { $0 != "-" && $0 != ":" }
        func file(_ isKept: (Character) -> Bool) -> String {
            let words = name.split { !isKept($0) }.joined(separator: "-").prefix(Self.maxFileNameLength)
            return "swatchcam-\(words.isEmpty ? "recording" : String(words))-\(time)Z.csv"
        }
        let ascii = file { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let full = file { $0.isLetter || $0.isNumber }
        guard full != ascii else { return "filename=\"\(ascii)\"" }
        let encoded = full.utf8.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
        return "filename=\"\(ascii)\"; filename*=UTF-8''\(encoded)"
    }
}

extension HTTPRequest {
    /// Returns the format of the requested table, from the parameters `separator`, `decimal` and `bom`.
    /// - Throws: An `HTTPError` if they are invalid.
    func tableFormat() throws(HTTPError) -> CSVFormat {
        let (separator, point) = (parameter("separator") ?? ",", parameter("decimal") ?? ".")
        let mark = parameter("bom") ?? "0"
        guard ["0", "1"].contains(mark),
            let format = CSVFormat(separator: separator, decimalPoint: point, hasByteOrderMark: mark == "1")
        else {
            throw HTTPError.badRequest(
                code: "bad-table",
                "separator must be a comma, a semicolon or a tab, decimal a point or a comma, but not the "
                    + "same, and bom 0 or 1.")
        }
        return format
    }
}
