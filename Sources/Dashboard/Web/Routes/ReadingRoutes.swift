import Assets
import Configuration
import Documents
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The newest reading, its statistics, and the description of the API.
struct ReadingRoutes: Sendable {
    private static let description = Asset(content: Assets.files["docs/openapi.json"] ?? Data(), isCompressible: true)

    let shared: SharedState
    let documents: DocumentSender
    let longReadings: ShareLimiter<ClientKey>

    var routes: [Route] {
        [
            Route(.GET, "/api/reading", parameters: [.probeDetail], "The newest reading", newestReading)
                .described(
                    "getReading",
                    "While nobody watches, readings are rare, and this request waits up to 1.8 seconds for one from "
                        + "the next frame; after a camera was opened, up to 3 seconds more until its colour holds. "
                        + "If there is no colour, the reading says why; the status is still 200.",
                    .ok("The reading.", "Reading")),
            Route(
                .GET, "/api/statistics", "The statistics of the newest reading, with its histogram", newestStatistics
            )
            .described(
                "getStatistics",
                "While nobody watches, this request waits for a reading as `GET /api/reading` does. If there is no "
                    + "colour, everything but `sequence` and `time` is null.",
                .ok("The statistics.", "StatisticsWithHistogram")),
            Route(.GET, "/api/openapi.json", right: .open, "This description") {
                .file(Self.description, type: "application/json", caching: "no-cache", $0.request)
            }
            .described(
                "getDescription", tag: "Program",
                .ok("An OpenAPI document.", ["type": "object", "required": ["openapi", "info", "paths"]]),
                .other(304, "The client has the current version: `If-None-Match` names its `ETag`.")),
        ]
    }

    private func newestReading(_ call: Call) async throws -> HTTPResponse {
        if try call.request.wantsWholeProbes() {
            return try await documents.send("/api/reading?probes=all", to: call) {
                .reading(await shared.settledReading, withWholeProbes: true, key: $0)
            }
        }
        if let text = await shortReading { return .json(text) }
        // Places of their own: a client whose downloads or WebSockets are stuck still gets readings. They are taken before
        // the reading, which may have megabytes.
        let room = MessageRoom(of: call.principal.key, in: longReadings)
        guard room.hold(MessageRoom.freeSize + 1) else { throw HTTPError.tooManyClients }
        let reading = await shared.settledReading
        let content = try await documents.cache.content(
            of: .reading(reading, key: "/api/reading"), isUrgent: call.principal.access == .control)
        guard room.hold(content.count) else { throw HTTPError.tooManyClients }
        return HTTPResponse(
            shared: [content], holding: [room], type: "application/json", headers: [.cacheControl: "no-store"])
    }

    /// The newest reading; nil if it is long.
    private var shortReading: Data? {
        get async {
            let reading = await shared.settledReading
            return reading.isLong ? nil : reading.json()
        }
    }

    private func newestStatistics(_ call: Call) async throws -> HTTPResponse {
        try await documents.send(call.route.path, to: call) {
            let reading = await shared.settledReading
            return Document(key: $0, version: "\(reading.sequence)") { reading.statisticsJSON() }
        }
    }
}

extension Document {
    /// Returns a reading of many probes and targets. With everything that is known of the probes, it has megabytes.
    fileprivate static func reading(
        _ reading: Reading, withWholeProbes isWhole: Bool = false, key: String
    ) -> Document {
        Document(key: key, version: "\(reading.sequence) \(reading.state)") { reading.json(withWholeProbes: isWhole) }
    }
}

extension HTTPRequest {
    /// Returns whether the client wants everything that is known of the probes, by `?probes=all`.
    func wantsWholeProbes() throws(HTTPError) -> Bool {
        let refusal = HTTPError.badRequest(
            code: "bad-probes", "probes must be all; without it, probes have only their names, colours and verdicts.")
        return try parameter("probes", orRefuse: refusal) { $0 == "all" ? true : nil } ?? false
    }
}

extension Reading {
    /// The maximum number of probes and targets in a reading that takes no place: about 8 KB with the longest names.
    private static let maxShort = 16

    /// Whether a client that does not receive it takes memory that counts.
    var isLong: Bool { probes.count + judgement.entries.count > Self.maxShort }
}

extension SharedState {
    /// The newest reading, as ``reading``, but of a camera that was just opened only when its colour holds.
    fileprivate var settledReading: Reading {
        get async {
            let end = clocks.now() + settlingTime
            var newest = await reading
            while newest.isSettling, clocks.now() < end, !Task.isCancelled {
                newest = await reading { !$0.isSettling }
            }
            return newest
        }
    }

    /// The newest reading; if nobody has watched recently, the reading of the next frame.
    var reading: Reading {
        get async { await reading { _ in true } }
    }

    /// Returns the newest reading by the present configuration that also satisfies a condition.
    private func reading(where isWanted: @Sendable (Reading) -> Bool) async -> Reading {
        let config = config.value.effective
        return await demand.newest(of: readings, rate: config.readings.rate) { reading in
            !reading.state.hasColor
                || (isWanted(reading) && reading.region == config.readings.region
                    && reading.effect == config.picture.effect && reading.probes.map(\.probe) == config.probes
                    && reading.palette == palette.value
                    && reading.judgement.entries.map(\.target) == config.targets.map(\.colorTarget)
                    && reading.recording == recorder.running)
        }
    }
}
