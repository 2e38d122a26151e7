import Configuration
import Fleet
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import State

extension WebApp {
    /// Clients without access do not get the reason, which may name a camera or a process.
    func checkHealth(_ call: Call) async throws(HTTPError) -> HTTPResponse {
        let reading = await shared.reading
        let mayKnow = access.principal(of: call.request, from: call.client) != nil
        guard reading.state.hasColor else {
            throw .unavailable(
                code: reading.state.rawValue,
                mayKnow
                    ? reading.message ?? "There is no colour: \(reading.state.rawValue)."
                    : "There is no live colour. With a token, /api/reading shows why.")
        }
        // A broker that is away is not a fault of the server.
        var document = HealthDocument(broker: broker.flatMap { .init($0.status.value) })
        // The counters of pictures and the reason, which names the broker, are only for clients with access.
        guard mayKnow else {
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
