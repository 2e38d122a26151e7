import Assets
import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings

/// The newest reading, its statistics, and the description of the API.
extension WebApp {
    /// The number of bytes for which a long reading needs another place, and the maximum number of its places.
    private static let (longPlaceSize, maxLongPlaces) = (16_384, 256)

    /// Handles `GET /api/reading`.
    func newestReading(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let isWhole = try wantsWholeProbes(request)
        let reading = await shared.settledReading
        if isWhole { return try await send(document(reading, withWholeProbes: true), to: principal.key, request) }
        guard reading.isLong else { return .json(reading.json()) }
        // Places of their own: a client whose downloads or WebSockets are stuck still gets readings.
        let (content, places) = try await longReading(reading, principal, takingFrom: longReadings)
        return HTTPResponse(
            shared: [content], holding: places, type: "application/json", headers: [.cacheControl: "no-store"])
    }

    /// Returns a long reading, and the places that it takes until it is sent.
    func longReading(
        _ reading: Reading, withWholeProbes isWhole: Bool = false, _ principal: Principal,
        takingFrom limiter: ShareLimiter<ClientKey>
    ) async throws -> (content: Data, places: [Places]) {
        guard let first = limiter.begin(for: principal.key) else { throw HTTPError.tooManyClients }
        let content = try await documents.content(
            of: document(reading, withWholeProbes: isWhole), isGzipped: false,
            isUrgent: principal.key.access == .control)
        // A client that does not read keeps the message that is being sent, its frame, and the message to follow.
        let more = min(3 * content.count / Self.longPlaceSize, Self.maxLongPlaces - 1)
        guard more > 0 else { return (content, [first]) }
        guard let rest = limiter.begin(more, for: principal.key) else { throw HTTPError.tooManyClients }
        return (content, [first, rest])
    }

    /// Returns a reading of many probes and targets. With everything that is known of the probes, it has megabytes.
    func document(_ reading: Reading, withWholeProbes isWhole: Bool) -> Document {
        Document(
            key: "/api/reading\(isWhole ? "?probes=all" : "")", version: "\(reading.sequence) \(reading.state)"
        ) { reading.json(withWholeProbes: isWhole) }
    }

    /// Handles `GET /api/statistics`.
    func newestStatistics(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let reading = await shared.settledReading
        let document = Document(key: "/api/statistics", version: "\(reading.sequence)") {
            reading.statisticsJSON()
        }
        return try await send(document, to: principal.key, request)
    }

    /// Handles `GET /api/openapi.json`.
    func describe(_ request: HTTPRequest) -> HTTPResponse {
        send(Self.description, type: "application/json", caching: "no-cache", request)
    }

    private static let description = Asset(
        content: Assets.files["docs/openapi.json"] ?? Data(), isCompressible: true)
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
