import Testing

@testable import Handoff

@Suite("The bulletin")
struct BulletinTests {
    private let bulletin = Bulletin()

    @Test("has one notice about each topic, the newest")
    func newest() {
        bulletin.post("Restart.", about: .restart)
        bulletin.post("One.", about: .configuration)
        bulletin.post("Two.", about: .configuration)
        #expect(bulletin.notices.map(\.message) == ["Two.", "Restart."])
        bulletin.post(nil, about: .restart)
        #expect(bulletin.notices.map(\.message) == ["Two."])
    }

    @Test("takes back what is still said, and nothing else")
    func withdraw() {
        bulletin.post("New.", about: .configuration)
        bulletin.withdraw("Old.", about: .configuration)
        bulletin.withdraw("New.", about: .restart)
        #expect(bulletin.notices.map(\.message) == ["New."])
        bulletin.withdraw("New.", about: .configuration)
        #expect(bulletin.notices.isEmpty)
    }
}
