import Color
import Documents
import Fleet
import FoundationEssentials
import Readings
import Untrusted

/// The instances that use the same broker, as the page of the fleet gets them.
struct FleetDocument: JSONFields {
    private struct Member: JSONFields {
        let member: FleetMember
        let isGone: Bool

        static let fields: JSONFieldList<Self> = [
            .value(
                "gone", .boolean,
                "Whether it does not send its colour any more: it is offline, or has been silent for 75 s."
            ) { $0.isGone },
            .value("hex", .hex.orNull, "Its last colour; null if it has none.") { $0.member.hex },
            .value("id", .string(pattern: "^[a-z0-9_]{1,32}$")) { $0.member.id },
            .value(
                "name", .string.orNull, "Its title, or the name of its machine; null until it has sent it."
            ) { $0.member.name },
            .value("seen", .integer.orNull, "The time of its last message, in milliseconds since 1970.") {
                $0.member.time.map { Int($0.timeIntervalSince1970 * 1000) }
            },
            .value("state", .component("State").orNull) { $0.member.state?.rawValue },
            .value(
                "textColor", .string.orNull, "Black or white, whichever can be read better on the colour."
            ) { $0.member.hex.flatMap(RGB8.init(hex:))?.textColor.hex },
            .value("verdict", .string.orNull, "The verdict on its colour, in a word.") { $0.member.verdict },
        ]
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

    static let fields: JSONFieldList<Self> = [
        .value("connected", .boolean, "Whether Swatchcam is connected to the broker.") { $0.isConnected },
        .value(
            "incomplete", .boolean, "Whether there are more than 5,000 instances, and some are left out."
        ) { $0.isIncomplete },
        .value("members", .array(of: Member.schema, 0...5000)) { $0.members },
        .value(
            "problem", .string.orNull, "Why there is no connection; null if there is none to explain."
        ) { $0.problem },
    ]
}
