import Testing

@testable import Documents

@Suite("The notices")
struct NoticesTests {
    private let notices = Notices()

    @Test("there is one notice about each topic, the newest")
    func newest() {
        notices.post("Restart.", about: .restart)
        notices.post("One.", about: .configuration)
        notices.post("Two.", about: .configuration)
        #expect(notices.all.map(\.message) == ["Two.", "Restart."])
        notices.post(nil, about: .restart)
        #expect(notices.all.map(\.message) == ["Two."])
    }

    @Test("sentences are added once each, until the notice is long")
    func add() {
        notices.add("One.", about: .storage)
        notices.add("Two.", about: .storage)
        notices.add("One.", about: .storage)
        #expect(notices.all.map(\.message) == ["One. Two."])
        for number in 1...10_000 { notices.add("Sentence \(number).", about: .storage) }
        #expect(4096...4200 ~= notices.all[0].message.utf8.count)
    }

    @Test("a notice is withdrawn only if it is still the current one about its topic")
    func withdraw() {
        notices.post("New.", about: .configuration)
        notices.withdraw("Old.", about: .configuration)
        notices.withdraw("New.", about: .restart)
        #expect(notices.all.map(\.message) == ["New."])
        notices.withdraw("New.", about: .configuration)
        #expect(notices.all.isEmpty)
    }
}
