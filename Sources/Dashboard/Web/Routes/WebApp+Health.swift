import Configuration
import Documents
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
        // A broker that is away is not a fault of the server. The reason, which names the broker, and the counters of
        // pictures are only for clients with access.
        return .json(
            HealthDocument(
                broker: broker?.status.value ?? .off, counters: mayKnow ? shared.pictures.counters : nil,
                mayKnow: mayKnow))
    }
}

struct HealthDocument: JSONFields {
    let broker: BrokerStatus
    let counters: PictureCounters?
    let mayKnow: Bool

    private var problem: String? {
        if mayKnow, case .away(let reason) = broker { reason } else { nil }
    }

    static let fields: JSONFieldList<Self> = [
        .object(
            "broker", "The connection to the MQTT broker. Omitted if none is configured.",
            [
                .value("connected", .boolean) { $0.broker == .connected },
                .value(
                    "problem", .nonEmptyString,
                    "Why there is no connection. Omitted for clients without access, and if there is one."
                ) { $0.problem }.onlyIf { $0.problem != nil },
            ]
        ).onlyIf { $0.broker != .off },
        .object(
            "pictures", "",
            [
                .value("encoded", .integer(from: 0), "Pictures encoded since the start.") { $0.counters?.encoded },
                .value("passedOn", .integer(from: 0), "Pictures of an MJPG camera that were passed on unchanged.") {
                    $0.counters?.passedOn
                },
                .value("viewers", .integer(from: 0)) { $0.counters?.viewers },
            ]
        ).onlyIf { $0.counters != nil },
        .value("status", ["const": "ok"]) { _ in "ok" },
    ]
}
