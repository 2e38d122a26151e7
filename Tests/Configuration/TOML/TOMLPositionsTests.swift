import Testing

@testable import Configuration

@Suite("Positions in a TOML document")
struct TOMLPositionsTests {
    private func positions(_ text: String) -> TOMLPositions { TOMLPositions(TOMLLexer.tokens(of: text)) }

    private func place(_ position: TextPosition?) -> String? { position.map { "\($0.line):\($0.column)" } }

    @Test("a key has its first position, and a value the position of its first token")
    func keys() {
        let positions = positions("a.b = 1.5 # x\n\na.'c d' = \"x\"\n[e]\nf = 1\n[a.g]\n")
        #expect(place(positions.key(at: ["a"])) == "1:1")
        #expect(place(positions.key(at: ["a", "b"])) == "1:3")
        #expect(place(positions.value(at: ["a", "b"])) == "1:7")
        #expect(place(positions.key(at: ["a", "c d"])) == "3:3")
        #expect(place(positions.value(at: ["a", "c d"])) == "3:11")
        #expect(place(positions.value(at: ["e"])) == "4:2")
        #expect(place(positions.key(at: ["e", "f"])) == "5:1")
        #expect(place(positions.key(at: ["a", "g"])) == "6:4")
        #expect(positions.key(at: ["f"]) == nil)
        #expect(positions.value(at: ["b"]) == nil)
    }

    @Test("an element has its position, whatever is nested in those before it")
    func elements() {
        let positions = positions("x = [ # one\n  [1, [2], 3], {a = [4], b = 5},\n  1.5, 'y',\n]\nz = 1\n")
        #expect((0...4).map { place(positions.element($0, at: ["x"])) } == ["2:3", "2:16", "3:3", "3:8", nil])
        #expect(positions.element(-1, at: ["x"]) == nil)
        #expect(positions.element(0, at: ["z"]) == nil)
        #expect(place(positions.value(at: ["z"])) == "5:5")
    }

    @Test("in a list of tables, the values of each have their own positions")
    func entries() {
        let positions = positions("[[x]]\na = 1\nb.c = 2\n[x.d]\na = 3\n[[x]]\n\na = 4\n[y]\nb = 5\n")
        #expect(place(positions.value(of: "a", inElement: 0, at: ["x"])) == "2:5")
        #expect(place(positions.value(of: "b", inElement: 0, at: ["x"])) == "3:7")
        #expect(place(positions.value(of: "a", inElement: 1, at: ["x"])) == "8:5")
        #expect(positions.value(of: "b", inElement: 1, at: ["x"]) == nil)
        #expect(positions.value(of: "a", inElement: 2, at: ["x"]) == nil)
        #expect(positions.value(of: "b", inElement: 0, at: ["y"]) == nil)
    }

    @Test("the keys of an inline table have positions, also after lists, tables and numbers in it")
    func inlineTables() {
        let positions = positions("x = { a = [1, [2]], b = { c = 1.5, d.e = 2 }, f = 3 }\ng = 4")
        #expect(place(positions.value(at: ["x", "a"])) == "1:11")
        #expect(place(positions.element(1, at: ["x", "a"])) == "1:15")
        #expect(place(positions.value(at: ["x", "b", "c"])) == "1:31")
        #expect(place(positions.value(at: ["x", "b", "d", "e"])) == "1:42")
        #expect(place(positions.key(at: ["x", "f"])) == "1:47")
        #expect(place(positions.key(at: ["g"])) == "2:1")
    }

    @Test("the tables of a list have the positions of their names")
    func tables() {
        let positions = positions("[[a]]\nb = 1\n[[a]]\nb = 2\n[c] # x\n")
        #expect(place(positions.key(at: ["a"])) == "1:3")
        #expect(place(positions.element(1, at: ["a"])) == "3:3")
        #expect(positions.element(0, at: ["c"]) == nil)
        #expect(place(positions.value(at: ["a", "b"])) == "4:5")
        #expect(place(positions.key(at: ["c"])) == "5:2")
    }

    @Test(
        "a text that the parser would refuse is read to its end, and has no position for a key that it lacks",
        arguments: ["x = {", "x = [", "x = {=}", "x = {,}", "x = [,]", "a.", "= 1", "[", "[]", "x = {a 1}\ny = 1"])
    func invalid(text: String) {
        #expect(positions(text).key(at: ["missing"]) == nil)
    }
}
