import Assets
import Capture
import Configuration
import FlyingFox
import FoundationEssentials
import Handoff
import Readings

/// The newest reading, its statistics, and the description of the API.
extension WebApp {
    /// Handles `GET /api/reading`.
    func newestReading(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        let wantsAll = try wantsWholeProbes(request)
        let reading = await shared.settledReading
        guard wantsAll else { return .json(reading.json()) }
        return try await send(wholeReading(reading), to: principal.key, request)
    }

    /// Returns a reading with everything that is known of the probes: with many probes and targets, it has megabytes.
    func wholeReading(_ reading: Reading) -> Document {
        Document(key: "/api/reading?probes=all", version: "\(reading.sequence) \(reading.state)") {
            reading.json(withWholeProbes: true)
        }
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
