import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The recording: starting it, ending it, and what is known of it.
struct RecordingRoutes: Sendable {
    let shared: SharedState
    /// The limiter of marks, because a recording sets one when it starts and one when it ends.
    let limiter: NetworkRateLimiter

    var routes: [Route] {
        [
            Route(.POST, "/api/recording", "Start a recording", startRecording)
                .described(
                    "startRecording",
                    "Until it is ended, or has lasted for `duration`, Swatchcam makes every reading, whether anybody "
                        + "watches or not. The beginning and the end are marked in the history. One recording runs "
                        + "at a time. If the history is written to a folder, the recording continues after a restart.",
                    takes: .json("RecordingOrder"),
                    .created("The recording.", "Recording"),
                    .refusal(409, "A recording is running already (`recording-runs`)."),
                    .refusal(
                        429, "Too many marks (`too-many-marks`), or too many wrong tokens, came from this address.",
                        headers: [.retryAfter]),
                    .refusal(
                        503, "All clients together have set too many marks (`too-many-marks`).",
                        headers: [.retryAfter])),
            Route(.DELETE, "/api/recording", "End the recording", endRecording)
                .described(
                    "endRecording",
                    .ok("The recording that has ended.", "Recording"),
                    .refusal(404, "No recording is running (`recording-not-found`)."),
                    .refusal(
                        429, "Too many marks (`too-many-marks`), or too many wrong tokens, came from this address.",
                        headers: [.retryAfter]),
                    .refusal(
                        503, "All clients together have set too many marks (`too-many-marks`).",
                        headers: [.retryAfter])),
            Route(.GET, "/api/recording", "The recording") { _ in document() }
                .described(
                    "getRecording", isAlwaysReady: true,
                    .ok("The recording that is running, or else the one that ended last.", "Recording")),
        ]
    }

    private func startRecording(_ call: Call) async throws -> HTTPResponse {
        let wanted = try await call.json(RecordingRequest.self, keys: ["name", "duration"], orRefuse: .badRecording)
        guard let name = Recording.name(wanted.name ?? "") else {
            throw HTTPError.badRecording("The name of a recording has at most \(Recording.maxLength) characters.")
        }
        let duration = wanted.duration ?? Recording.maxDuration
        guard 1...Recording.maxDuration ~= duration else {
            throw HTTPError.badRecording("A recording lasts 1 to \(Int(Recording.maxDuration)) seconds (31 days).")
        }
        if let running = shared.recorder.running { throw HTTPError.isRecording(running) }
        try limiter.takePlaceOfMark(for: call)
        do throws(Recorder.AlreadyRunning) {
            _ = try await shared.recorder.start(name, duration: duration)
        } catch {
            throw HTTPError.isRecording(error.recording)
        }
        return document(status: .created)
    }

    private func endRecording(_ call: Call) async throws -> HTTPResponse {
        guard shared.recorder.running != nil else { throw HTTPError.noRecording }
        try limiter.takePlaceOfMark(for: call)
        guard await shared.recorder.end() != nil else { throw HTTPError.noRecording }
        return document()
    }

    private func document(status: HTTPStatusCode = .ok) -> HTTPResponse {
        let recording = shared.recorder.recording.value
        return .json(
            RecordingDocument(
                recording: recording, interval: recording.map { shared.history.period(of: $0) },
                problem: shared.recorder.problem), status: status)
    }
}

private struct RecordingRequest: Decodable {
    var name: String?
    var duration: Double?
}

/// The document of `/api/recording`.
struct RecordingDocument: JSONFields {
    /// The recording that runs, or else the one that ended last; nil if there was none.
    let recording: Recording?
    /// The time that a row of its table covers, in seconds.
    let interval: Double?
    let problem: String?

    static let fields: JSONFieldList<Self> = [
        .value(
            "problem", .string.orNull,
            "Says why the recording that is running will end when Swatchcam stops; null if it will not."
        ) { $0.problem },
        .objectOrNull(
            "recording", "The recording that is running, or else the one that ended last; null if there was none.",
            [
                .value("endsBy", .time, "When it ends by itself: `duration` seconds after it began.") {
                    $0.recording.latestEnd.timestamp
                },
                .value(
                    "interval", ["enum": [0.25, 10, 300]],
                    "The seconds that a row of `/history.csv?recording=1` covers at present: 0.25 until an hour after "
                        + "the beginning, when each reading has a row (of more than four a second, their mean); then 10 "
                        + "for a day; then 300."
                ) { $0.interval },
                .value("name", .string(1...Recording.maxLength)) { $0.recording.name },
                .value("since", .time) { $0.recording.since.timestamp },
                .value("until", .time.orNull, "When it ended; null while it is running.") {
                    $0.recording.until?.timestamp
                },
            ]
        ) { document in document.recording.map { (recording: $0, interval: document.interval) } },
    ]
}

extension HTTPError {
    static let noRecording = notFound(
        code: "recording-not-found", "There is no recording. POST /api/recording starts one.")

    fileprivate static let badRecording = badRecording(
        "Send a JSON object with a name, a duration in seconds, both or neither, such as {\"name\": \"Titration 3\", \"duration\": 3600}."
    )

    fileprivate static func badRecording(_ message: String) -> HTTPError { badRequest(code: "bad-recording", message) }

    fileprivate static func isRecording(_ recording: Recording) -> HTTPError {
        HTTPError.conflict(
            code: "recording-runs",
            "The recording \"\(recording.name)\" has been running since \(recording.since.timestamp). End it first.")
    }
}
