import FoundationEssentials
import Handoff
import Readings
import Testing

@testable import Fleet

@Suite("The list of instances")
struct FleetRosterTests {
    private let now = Date(timeIntervalSinceReferenceDate: 0)

    private func roster() -> FleetRoster {
        var clocks = Clocks()
        clocks.date = { [now] in now }
        return FleetRoster(clocks: clocks)
    }

    private func add(_ topic: Substring, _ payload: String, isRetained: Bool = false, to roster: FleetRoster) {
        roster.add(
            topic, ReceivedMessage(topic: String(topic), payload: Array(payload.utf8), isRetained: isRetained))
    }

    /// Returns the list after the messages.
    private func members(_ messages: [(Substring, String)]) -> FleetMembers {
        let roster = roster()
        return withExtendedLifetime(roster.watch()) {
            for (topic, payload) in messages { add(topic, payload, to: roster) }
            roster.publish()
            return roster.members.value
        }
    }

    @Test("an instance has what its messages say")
    func member() throws {
        let state = ##"{"hex":"#3fa7d6","name":"Hall","state":"live","verdict":"match","rgb":[1,2,3]}"##
        let members = members([
            ("a1/availability", "online"), ("a1/state", state), ("b2/availability", "offline"),
            ("b2/state", #"{"name":"a\u001bb"}"#),
        ])
        let member = try #require(members.byID["a1"])
        #expect(member.name == "Hall")
        #expect(member.state == .live)
        #expect(member.hex == "#3FA7D6")
        #expect(member.verdict == "match")
        #expect(member.time == now)
        #expect(!member.isGone(at: now + 75, since: now))
        #expect(member.isGone(at: now + 76, since: now))
        #expect(members.byID["b2"]?.isGone(at: now, since: now) == true)
        #expect(members.byID["b2"]?.name == "a\u{FFFD}b")
    }

    @Test("a broker that does not let the list be read is named in it, until there is another connection")
    func refusal() {
        let roster = roster()
        withExtendedLifetime(roster.watch()) {
            roster.refuse("No.")
            roster.publish()
            #expect(roster.members.value.refusal == "No.")
            roster.reset(isConnected: true)
            roster.publish()
            #expect(roster.members.value.refusal == nil)
        }
    }

    @Test(
        "values that are not valid are left out, and texts are sanitized and cut off",
        arguments: [
            #"{"hex":"red","name":7,"state":"asleep"}"#, #"{}"#, #"{"hex":null,"name":null,"state":null}"#,
        ])
    func invalidValues(_ state: String) {
        let member = members([("a1/state", state)]).byID["a1"]
        #expect(member != nil)
        #expect(member?.hex == nil)
        #expect(member?.name == nil)
        #expect(member?.state == nil)
    }

    @Test(
        "other topics and payloads are ignored",
        arguments: [
            ("a1/state", "no JSON"), ("a1/state", "[1]"), ("a1/availability", "perhaps"), ("a1/other", "online"),
            ("a1/state/b", "{}"), ("A1/state", "{}"), ("a-1/state", "{}"), ("/state", "{}"),
            ("\u{1B}/availability", "online"), ("a1", "online"),
            ("a2345678901234567890123456789012x/state", "{}"),
        ] as [(Substring, String)])
    func ignored(_ topic: Substring, _ payload: String) {
        #expect(members([(topic, payload)]).byID.isEmpty)
    }

    @Test("a state that the broker has kept is of any age, and ignored")
    func retained() {
        let roster = roster()
        withExtendedLifetime(roster.watch()) {
            add("a1/state", "{}", isRetained: true, to: roster)
            add("b2/availability", "online", isRetained: true, to: roster)
            roster.publish()
            #expect(Array(roster.members.value.byID.keys) == ["b2"])
        }
    }

    @Test("there are 5,000 instances at most, and then the list is incomplete")
    func limit() {
        let many = members((0..<5001).map { ("a\($0)/availability", "online") })
        #expect(many.byID.count == 5000)
        #expect(many.isIncomplete)
        #expect(!members((0..<5000).map { ("a\($0)/availability", "online") }).isIncomplete)
    }

    @Test("the list begins when somebody looks at it while there is a connection, and again with each connection")
    func start() {
        let roster = roster()
        withExtendedLifetime(roster.watch()) {
            roster.publish()
            #expect(roster.members.value.since == nil)
            roster.reset(isConnected: true)
            add("a1/availability", "online", to: roster)
            roster.publish()
            #expect(roster.members.value.since == now)
            #expect(roster.members.value.byID.count == 1)
            roster.reset(isConnected: false)
            roster.publish()
            #expect(roster.members.value == FleetMembers())
            roster.reset(isConnected: true)
        }
        withExtendedLifetime(roster.watch()) {
            roster.publish()
            #expect(roster.members.value.since == now)
        }
    }

    @Test("nothing is kept while nobody looks, and nothing afterwards")
    func demand() {
        let roster = roster()
        add("a1/availability", "online", to: roster)
        #expect(!roster.isWatched)
        var token: InterestToken? = roster.watch()
        #expect(roster.isWatched)
        roster.publish()
        #expect(roster.members.value.byID.isEmpty)
        add("a1/availability", "online", to: roster)
        roster.publish()
        #expect(roster.members.value.byID.count == 1)
        withExtendedLifetime(token) {}
        token = nil
        #expect(!roster.isWatched)
        #expect(roster.members.value == FleetMembers())
    }
}
