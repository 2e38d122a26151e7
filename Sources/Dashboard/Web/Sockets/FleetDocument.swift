import Color
import Documents
import Fleet
import FoundationEssentials
import Readings
import Untrusted

/// The instances that use the same broker, as the page of the fleet gets them.
struct FleetDocument: JSONObject {
    private struct Member: JSONObject {
        let member: FleetMember
        let isGone: Bool

        func writeFields(to json: inout JSONWriter) {
            json.field("gone", isGone)
            json.field("hex", member.hex)
            json.field("id", member.id)
            json.field("name", member.name)
            json.field("seen", member.time.map { Int($0.timeIntervalSince1970 * 1000) })
            json.field("state", member.state?.rawValue)
            json.field("textColor", member.hex.flatMap(RGB8.init(hex:))?.textColor.hex)
            json.field("verdict", member.verdict)
        }
    }

    private let problem: String?
    private let isConnected: Bool
    private let isIncomplete: Bool
    private let members: [Member]

    /// - Parameters:
    ///   - fleet: The instances; nil if there is no broker.
    ///   - now: The time at which those that have been silent for too long are gone.
    init(_ fleet: FleetMembers?, _ status: BrokerStatus, at now: Date) {
        isConnected = status == .connected
        problem =
            switch status {
            case .off: "No broker is configured. Set mqtt.host in config.toml: see /usr/share/doc/swatchcam/mqtt.md."
            case .away(let reason): reason
            case .connecting, .connected: fleet?.refusal
            }
        isIncomplete = fleet?.isIncomplete == true
        let byName = (fleet?.byID.values).map(Array.init)?.sorted {
            ($0.name ?? $0.id, $0.id) < ($1.name ?? $1.id, $1.id)
        }
        members = (byName ?? []).map { member in
            Member(member: member, isGone: (fleet?.since).map { member.isGone(at: now, since: $0) } ?? true)
        }
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("connected", isConnected)
        json.field("incomplete", isIncomplete)
        json.field("members", members)
        json.field("problem", problem)
    }
}
