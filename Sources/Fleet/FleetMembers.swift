import Color
import Documents
package import FoundationEssentials
package import Handoff
package import Readings
import Synchronization
import Untrusted

/// An instance of Swatchcam that uses the same broker. Everything here comes from the broker and is sanitized.
package struct FleetMember: Equatable, Sendable {
    /// The time after which an instance that sends no colour counts as gone, in seconds: two repetitions are missing.
    private static let maxSilence = 75.0

    package let id: String
    package fileprivate(set) var name: String?
    package fileprivate(set) var state: Reading.State?
    /// The colour as `#RRGGBB`; nil if it has none.
    package fileprivate(set) var hex: String?
    /// The verdict on its colour, in a word.
    package fileprivate(set) var verdict: String?
    /// The time at which its last colour, or the lack of one, arrived; nil if none has.
    package fileprivate(set) var time: Date?
    /// Whether it has said that it is there, or the broker that it is not; nil if neither is known.
    package fileprivate(set) var isOnline: Bool?

    /// Returns whether the instance does not send its colour any more.
    /// - Parameter start: The time since which its messages are received.
    package func isGone(at now: Date, since start: Date) -> Bool {
        isOnline == false || now.timeIntervalSince(max(time ?? start, start)) > Self.maxSilence
    }
}

/// The instances of Swatchcam that use the same broker.
package struct FleetMembers: Equatable, Sendable {
    /// The maximum number of instances.
    package static let maxCount = 5000

    package fileprivate(set) var byID: [String: FleetMember] = [:]
    /// Whether there are more instances than are kept.
    package fileprivate(set) var isIncomplete = false
    /// The reason why the list is not complete, in a sentence; nil if the broker lets its client read it.
    package fileprivate(set) var refusal: String?
    /// The time since which messages are received; nil if nobody has asked for them, or there is no connection.
    package fileprivate(set) var since: Date?
}

/// The list of the instances, which is kept only while somebody looks at it.
package final class FleetRoster: Sendable {
    /// The shortest time between two versions of the list, in seconds: hundreds of messages may arrive in one.
    static let period = 0.25

    private struct Content {
        var members = FleetMembers()
        var isNew = false
        var isConnected = false
        var watchers = 0

        /// Begins with an empty list.
        mutating func restart(at now: Date) {
            members = FleetMembers(since: isConnected ? now : nil)
            isNew = true
        }
    }

    /// The newest list.
    package let members = Latest(FleetMembers())
    private let content = Mutex(Content())
    private let clocks: Clocks

    init(clocks: Clocks = Clocks()) {
        self.clocks = clocks
    }

    /// Whether somebody looks at the list.
    var isWatched: Bool { content.withLock { $0.watchers > 0 } }

    /// Keeps the list until the token is released.
    package func watch() -> InterestToken {
        content.withLock { content in
            content.watchers += 1
            if content.watchers == 1 { content.restart(at: clocks.date()) }
        }
        return InterestToken { [weak self] in self?.endWatch() }
    }

    private func endWatch() {
        let isLast = content.withLock { content in
            content.watchers -= 1
            if content.watchers == 0 { content.members = FleetMembers() }
            return content.watchers == 0
        }
        if isLast { members.publish(FleetMembers()) }
    }

    /// Forgets the list, because the connection begins or ends.
    func reset(isConnected: Bool) {
        content.withLock { content in
            content.isConnected = isConnected
            content.restart(at: clocks.date())
        }
    }

    /// Adds what was received.
    /// - Parameter topic: The topic below the root: `ID/state` or `ID/availability`. Any other is ignored.
    func add(_ topic: Substring, _ message: ReceivedMessage) {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 2, let id = Self.id(levels[0]) else { return }
        let now = clocks.date()
        switch levels[1] {
        case "availability":
            let isOnline = message.payload == Array("online".utf8)
            guard isOnline || message.payload == Array("offline".utf8) else { return }
            change(id) { $0.isOnline = isOnline }
        case "state":
            // One that the broker has kept is not from Swatchcam, and of any age.
            guard !message.isRetained, let document = StateDocument(message.payload) else { return }
            change(id) { member in
                member.name = document.name
                member.state = document.state
                member.hex = document.hex
                member.verdict = document.verdict
                member.time = now
            }
        default: return
        }
    }

    /// Tells those who look at the list that the broker does not let its client read it.
    func refuse(_ sentence: String) {
        content.withLock { content in
            content.members.refusal = sentence
            content.isNew = true
        }
    }

    /// Publishes what has changed since the last call.
    func publish() {
        let changed = content.withLock { content in
            defer { content.isNew = false }
            return content.isNew && content.watchers > 0 ? content.members : nil
        }
        if let changed { members.publish(changed) }
    }

    private func change(_ id: String, _ change: (inout FleetMember) -> Void) {
        content.withLock { content in
            guard content.watchers > 0 else { return }
            content.isNew = true
            guard content.members.byID.count < FleetMembers.maxCount || content.members.byID[id] != nil else {
                content.members.isIncomplete = true
                return
            }
            change(&content.members.byID[id, default: FleetMember(id: id)])
        }
    }

    /// Returns an id of `[a-z0-9_]` with at most 32 characters; nil for any other text.
    private static func id(_ text: Substring) -> String? {
        let isValid =
            (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isValid ? String(text) : nil
    }
}

/// What is read of the message of another instance. Values that are not valid are left out.
private struct StateDocument: Decodable {
    var name: String?
    var state: Reading.State?
    var hex: String?
    var verdict: String?

    private enum CodingKeys: String, CodingKey { case name, state, hex, verdict }

    init?(_ payload: [UInt8]) {
        let json = Data(payload)
        guard JSONLimits.allows(json), let document = try? JSONDecoder().decode(Self.self, from: json) else {
            return nil
        }
        self = document
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
        name = text(.name).map { $0.sanitized(limit: 60) }
        state = text(.state).flatMap(Reading.State.init)
        hex = text(.hex).flatMap { RGB8(hex: $0)?.hex }
        verdict = text(.verdict).map { $0.sanitized(limit: 32) }
    }
}
