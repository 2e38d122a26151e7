import Capture
import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Handoff
import Readings

extension WebApp {
    /// Handles `GET /healthz`. Clients without access do not get the reason, which may name a camera or a process.
    func checkHealth(_ request: HTTPRequest, from client: Client) async throws(HTTPError) -> HTTPResponse {
        let reading = await shared.reading
        let check = HealthCheck(
            rate: shared.config.value.effective.readings.rate, framePeriod: shared.demand.framePeriod)
        if var problem = check.problem(with: reading, at: .now) {
            if access.principal(of: request, from: client) == nil {
                problem.message = "There is no live colour. With a token, /api/reading shows why."
            }
            throw problem
        }
        // A broker that is away is not a fault of the server.
        var document = HealthDocument(broker: broker.flatMap { .init($0.status.value) })
        // The counters of pictures and the reason, which names the broker, are only for clients with access.
        guard access.principal(of: request, from: client) != nil else {
            document.broker?.problem = nil
            return .json(document)
        }
        let counters = shared.pictures.counters
        document.pictures = .init(encoded: counters.encoded, passedOn: counters.passedOn, viewers: counters.viewers)
        return .json(document)
    }
}

private struct HealthDocument: Encodable {
    struct Pictures: Encodable {
        var encoded: UInt64
        var passedOn: UInt64
        var viewers: Int
    }

    struct BrokerDocument: Encodable {
        var connected: Bool
        /// The reason why there is no connection; omitted for clients without access, and if there is one.
        var problem: String?

        /// - Returns: Nil if no broker is configured.
        init?(_ status: BrokerStatus) {
            switch status {
            case .off: return nil
            case .connecting: connected = false
            case .connected: connected = true
            case .away(let reason): (connected, problem) = (false, reason)
            }
        }
    }

    /// Whether there is a connection to the broker; omitted if none is configured.
    var broker: BrokerDocument?
    /// The counters of pictures; omitted for clients without access.
    var pictures: Pictures?
    var status = "ok"
}

/// The check of `/healthz` that readings are fresh.
struct HealthCheck: Sendable {
    /// The age in seconds from which a reading is stale: three periods of the readings or of the frames, whichever is
    /// longer, and at least two seconds.
    let staleAge: TimeInterval

    /// - Parameters:
    ///   - rate: The number of readings per second.
    ///   - framePeriod: The time from one frame to the next in seconds, which may be longer than that of the readings.
    init(rate: Double, framePeriod: Double) {
        staleAge = max(2, rate > 0 ? 3 / rate : .infinity, 3 * framePeriod)
    }

    /// Returns the reason why a reading is not a sign of health; nil if it is one.
    func problem(with reading: Reading, at now: Date) -> HTTPError? {
        guard reading.state.hasColor else {
            return refusal(reading.state.rawValue, reading.message ?? "There is no colour: \(reading.state.rawValue).")
        }
        // A reading from the future means that the clock was set back, so that its age is unknown.
        let age = abs(now.timeIntervalSince(reading.time))
        guard age < staleAge else {
            return refusal("stale", "The newest reading is \(age.formatted(decimals: 1)) s old.")
        }
        return nil
    }

    private func refusal(_ code: String, _ message: String) -> HTTPError {
        HTTPError.unavailable(code: code, message)
    }
}
