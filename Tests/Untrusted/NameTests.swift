import Testing

@testable import Untrusted

@Suite("Names")
struct NameTests {
    @Test("names are the same if their bytes are, not if they look alike")
    func bytes() {
        for (one, other) in [("Gr\u{FC}n", "Gru\u{308}n"), ("K", "\u{212A}"), (";", "\u{37E}")] {
            #expect(one == other && Name(one) != Name(other))
            #expect(Set([Name(one), Name(other), Name(one)]).count == 2)
        }
    }
}
