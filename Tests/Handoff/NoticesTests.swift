import Testing

@testable import Handoff

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
