import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff

@Suite("Session store")
struct SessionStoreTests {
    private let store = SessionStore()
    private let start = MonotonicTime.now()
    private let month = 30.0 * 24 * 3600

    private func open(
        _ access: Access, from network: String = "192.0.2.1", at time: MonotonicTime
    ) -> (id: SessionStore.ID, ended: SessionStore.ID?) {
        store.open(access, for: IPNetwork(network), at: time)
    }

    @Test("a session grants the access of its token", arguments: [Access.view, .control])
    func access(given: Access) {
        let id = open(given, at: start).id
        #expect(store.access(of: id, at: start) == given)
    }

    @Test("session ids have 256 bits and differ")
    func ids() {
        let ids = Set((1...100).map { _ in open(.view, at: start).id })
        #expect(ids.count == 100)
        #expect(ids.allSatisfy { $0.utf8.count == 43 })
    }

    @Test("an unknown id is not a session", arguments: ["", "x", String(repeating: "A", count: 43)])
    func unknown(id: String) {
        _ = open(.control, at: start)
        #expect(store.access(of: id, at: start) == nil)
    }

    @Test("closing a session ends it and no other")
    func close() {
        let (one, other) = (open(.control, at: start).id, open(.control, at: start).id)
        store.close(one)
        #expect(store.access(of: one, at: start) == nil)
        #expect(store.access(of: other, at: start) == .control)
    }

    @Test("a session ends thirty days after its last use")
    func idle() {
        let id = open(.control, at: start).id
        let used = start + (month - 1)
        #expect(store.access(of: id, at: used) == .control)
        #expect(store.access(of: id, at: used + (month - 1)) == .control)
        #expect(store.access(of: id, at: used + month + month) == nil)
        // The attempt does not revive it.
        #expect(store.access(of: id, at: used) == nil)
    }

    @Test("a session does not expire while a connection is open")
    func touched() {
        let id = open(.view, at: start).id
        for day in 1...365 { store.touch([id], at: start + Double(day) * 24 * 3600) }
        #expect(store.access(of: id, at: start + 365 * 24 * 3600) == .view)
        // A connection that outlived its session does not revive it.
        store.close(id)
        store.touch([id], at: start)
        #expect(store.access(of: id, at: start) == nil)
    }

    @Test("the view sessions of a client displace neither its control session nor a session of another client")
    func apart() {
        let owner = open(.control, at: start).id
        let other = open(.view, from: "192.0.2.2", at: start).id
        for number in 1...1000 { _ = open(.view, at: start + Double(number)) }
        #expect(store.access(of: owner, at: start + 2000) == .control)
        #expect(store.access(of: other, at: start + 2000) == .view)
    }

    @Test("sessions that have expired make room for others without being reported as ended")
    func expired() {
        for _ in 1...128 { _ = open(.control, at: start) }
        #expect(open(.control, at: start + month).ended == nil)
    }

    @Test("a client has at most 128 sessions, and a new one displaces the least recently used")
    func bounded() {
        let first = open(.control, at: start).id
        let second = open(.control, at: start + 1).id
        for number in 3...128 {
            #expect(open(.control, at: start + Double(number)).ended == nil)
        }
        #expect(store.access(of: first, at: start + 300) == .control)
        #expect(open(.control, at: start + 301).ended == second)
        #expect(store.access(of: second, at: start + 301) == nil)
        #expect(store.access(of: first, at: start + 301) == .control)
    }

    @Test("once there are 1024 sessions, a new one displaces one of the client that has the most")
    func total() {
        for number in 0..<900 { _ = open(.view, from: "198.51.\(number / 250).\(number % 250)", at: start) }
        let greedy = (1...124).map { open(.view, at: start + Double($0)).id }
        #expect(open(.view, from: "203.0.113.1", at: start + 200).ended == greedy[0])
        #expect(open(.control, from: "203.0.113.1", at: start + 200).ended == nil)
    }
}
