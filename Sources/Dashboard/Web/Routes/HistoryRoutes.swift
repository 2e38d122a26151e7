import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The history: drawing it and exporting it.
struct HistoryRoutes: Sendable {
    private static let standardPoints = 300

    let shared: SharedState
    let documents: DocumentSender
    let programVersion: String

    var routes: [Route] {
        [
            Route(
                .GET, "/api/history",
                parameters: [
                    .span,
                    Parameter(
                        "points",
                        "The greatest number of intervals. There are fewer if the history does not have so fine a "
                            + "resolution.", .integer(1...2000).defaulting(to: 300)),
                    Parameter("probes", "`all` adds the colours of the probes.", .words(["all"])),
                ], "The last readings, for drawing",
                showHistory
            )
            .described(
                "getHistory",
                "Readings in intervals of equal length, up to now. Intervals without a reading that has a colour are "
                    + "left out. They begin at multiples of `step` since 1970, so that a later request has the same "
                    + "ones.",
                .ok(
                    "The intervals and the marks.", "History",
                    headers: [.init("Vary", "Always `Accept-Encoding`.")])),
            Route(
                .GET, "/history.csv",
                parameters: [
                    .span,
                    .recording,
                ] + Parameter.tableFormat + [
                    .flag(
                        "comments", "1 adds comments at the top: camera, format, controls, region, version and marks.")
                ],
                "The last readings as a table", exportHistory
            )
            .described(
                "exportHistory",
                "In UTF-8: with `comments=1` comments that begin with `#`, then a header, and one row for each "
                    + "reading of an hour, for 10 s of a day, or for 5 min of 31 days, whichever is the finest that "
                    + "covers the span.",
                .download("The table.", "text/csv"),
                .refusal(404, "There was no recording (`recording-not-found`).")),
            Route(
                .GET, "/probes.csv",
                parameters: [
                    .span,
                    .recording,
                ] + Parameter.tableFormat,
                "The probes in the last readings, as a table", exportProbes
            )
            .described(
                "exportProbes",
                "In UTF-8, with a header: one row for each probe and 10 s, and one for the region if there is a target.",
                .download("The table.", "text/csv"),
                .refusal(404, "There was no recording (`recording-not-found`).")),
        ]
    }

    private func showHistory(_ call: Call) async throws -> HTTPResponse {
        let (span, points) = (try span(of: call.request), try points(of: call.request))
        let hasProbes = try call.request.wantsWholeProbes()
        let history = shared.history
        let begins = shared.config.value.effective.history.folder == nil ? history.start : nil
        let version = "\(history.version) \(begins == nil)"
        var document = Document(key: "/api/history \(span.seconds) \(points) \(hasProbes)", version: version) {
            let window = history.window(span, intervals: points, withProbes: hasProbes)
            return JSONWriter.data(HistoryDocument(window: window, begins: begins, hasProbes: hasProbes))
        }
        document.isCompressible = true
        return try await documents.send(document, to: call)
    }

    private func exportHistory(_ call: Call) async throws -> HTTPResponse {
        let (span, format) = (try span(of: call.request), try call.request.tableFormat())
        let hasComments = try flag("comments", of: call.request)
        let recording = try recording(insteadOf: call.request)
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
                    "attachment; \(recording?.fileName() ?? "filename=\"swatchcam-history.csv\"")",
            ]
        ) { [programVersion] in
            HistoryTable(
                format, hasComments: hasComments, version: programVersion, reading: reading, controls: controls,
                recording: recording?.name
            )
            .data(recording.map(history.rows) ?? history.rows(span))
        }
        return try await documents.send(document, to: call)
    }

    private func exportProbes(_ call: Call) async throws -> HTTPResponse {
        let (span, format) = (try span(of: call.request), try call.request.tableFormat())
        let recording = try recording(insteadOf: call.request)
        let history = shared.history
        let document = Document(
            key: "/probes.csv \(recording?.key ?? "\(span.seconds)") \(format)", version: history.version,
            type: "text/csv; charset=utf-8; header=present",
            headers: [
                .cacheControl: "no-store",
                HTTPHeader("Content-Disposition"):
                    "attachment; \(recording?.fileName(with: "probes") ?? "filename=\"swatchcam-probes.csv\"")",
            ]
        ) {
            let (csv, rows) = (ProbeCSV(format), recording.map(history.probeRows) ?? history.probeRows(span))
            let start = rows.first?.time ?? Date()
            return Data(rows.reduce(into: csv.beginning + csv.header) { $0 += csv.line($1, since: start) }.utf8)
        }
        return try await documents.send(document, to: call)
    }

    private func span(of request: HTTPRequest) throws(HTTPError) -> HistorySpan {
        try request.parameter("span", orRefuse: .badSpan, HistorySpan.init) ?? .standard
    }

    /// Returns the newest recording if the rows are to come from it instead of a span.
    private func recording(insteadOf request: HTTPRequest) throws(HTTPError) -> Recording? {
        guard try flag("recording", of: request) else { return nil }
        guard request.parameter("span") == nil else { throw .badHistory("Send span or recording, not both.") }
        guard let recording = shared.recorder.recording.value else { throw .noRecording }
        return recording
    }

    /// Returns whether a parameter is 1 instead of 0 or missing.
    private func flag(_ name: String, of request: HTTPRequest) throws(HTTPError) -> Bool {
        try request.parameter(name, orRefuse: .badHistory("\(name) must be 0 or 1.")) { ["0": false, "1": true][$0] }
            ?? false
    }

    private func points(of request: HTTPRequest) throws(HTTPError) -> Int {
        try request.parameter("points", orRefuse: .badHistory("points must be a whole number in 1...2000.")) { text in
            Int(text).flatMap { "\($0)" == text && 1...2000 ~= $0 ? $0 : nil }
        } ?? Self.standardPoints
    }
}

extension HTTPError {
    fileprivate static func badHistory(_ message: String) -> HTTPError { badRequest(code: "bad-history", message) }

    fileprivate static let badSpan = badHistory(
        "span must be a whole number and s, m, h or d, such as 90s, 10m or 31d, from 10s to 31d.")
}

extension Recording {
    /// The part of a document's key that says which recording it is about.
    fileprivate var key: String { "\(since.timestamp) \(until?.timestamp ?? "") \(name)" }

    /// The maximum length of its name in the name of a file, in characters.
    private static let maxFileNameLength = 40

    /// Returns the parameters of `Content-Disposition` with the name of the file (RFC 6266): the name of the recording, in
    /// which everything but letters and digits becomes a hyphen, and its start. Only `filename*` has letters beyond ASCII.
    /// - Parameter part: A word for the part of the recording that the file has; nil for its readings.
    fileprivate func fileName(with part: String? = nil) -> String {
        let time = since.timestamp.prefix(19).filter { $0 != "-" && $0 != ":" }
        func file(_ isKept: (Character) -> Bool) -> String {
            let words = name.split { !isKept($0) }.joined(separator: "-").prefix(Self.maxFileNameLength)
            return "swatchcam-\(part.map { "\($0)-" } ?? "")\(words.isEmpty ? "recording" : String(words))-\(time)Z.csv"
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

extension Parameter {
    fileprivate static let span = Self(
        "span", "The length of the history up to now: a whole number and s, m, h or d, from 10s to 31d.",
        .string(pattern: "^[0-9]{1,7}[smhd]$").defaulting(to: "10m"))
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
                "separator must be a comma, a semicolon or a tab, decimal a point or a comma, but not the same, and "
                    + "bom 0 or 1.")
        }
        return format
    }
}
