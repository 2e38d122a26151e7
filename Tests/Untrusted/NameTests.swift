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

    private struct Thing: Named, Equatable {
        var name: Name
        var size: Int
    }

    @Test("things are set, replaced at their place and removed by their names, up to a number")
    func list() {
        var things = [Thing(name: "A", size: 1)]
        #expect(things.set(Thing(name: "B", size: 1), upTo: 2) == true)
        #expect(things.set(Thing(name: "A", size: 2), upTo: 2) { $0[1].size = 3 } == false)
        #expect(things.set(Thing(name: "C", size: 1), upTo: 2) { $0 = [] } == nil)
        #expect(things == [Thing(name: "A", size: 2), Thing(name: "B", size: 3)])
        #expect(things.remove("C") == nil)
        #expect(things.remove("A") == Thing(name: "A", size: 2))
        #expect(things.map(\.name) == ["B"])
    }
}
