import Testing

@testable import Configuration

@Suite("The problems of a configuration")
struct ConfigErrorTests {
    private func problem(_ key: String?, line: Int? = nil, column: Int = 1, _ message: String = "is bad")
        -> ConfigProblem
    {
        ConfigProblem(
            file: "a.toml", position: line.map { TextPosition(line: $0, column: column) }, key: key, message: message)
    }

    @Test("problems are in the order of the file and of their keys, those without a position last")
    func order() {
        let ordered = [
            problem("d", line: 1, column: 9), problem("c", line: 2, column: 1), problem("b", line: 2, column: 2),
            problem("c", line: 2, column: 2),
            problem(nil, "is worse"), problem("a"), problem("e", "is bad"), problem("e", "is worse"),
        ]
        #expect(ConfigError(ordered.reversed()).problems == ordered)
    }

    @Test("a problem is one line with its place and key, if they are known")
    func lines() {
        #expect(problem("web.port", line: 2, column: 8).description == "a.toml:2:8: web.port: is bad")
        #expect(problem(nil).description == "a.toml: is bad")
        #expect(ConfigProblem(key: "--port", message: "is bad").description == "--port: is bad")
        #expect(ConfigError([problem("a"), problem("b")]).description == "a.toml: a: is bad\na.toml: b: is bad")
    }

    @Test("a word of 32 letters, digits, hyphens and underscores may be a token and is hidden; a shorter one is not")
    func hidden() {
        let word = "azAZ09-_azAZ09-_azAZ09-_azAZ09-_"
        #expect(problem(word, "\(word) \"\(word)\"").description == "a.toml: (hidden): (hidden) \"(hidden)\"")
        let shorter = String(word.dropLast())
        #expect(problem(shorter, "\(shorter).").description == "a.toml: \(shorter): \(shorter).")
    }

    @Test("the number of problems is written in words")
    func count() {
        #expect(ConfigError(problem("a")).count == "a mistake")
        #expect(ConfigError([problem("a"), problem("b")]).count == "2 mistakes")
    }

    @Test("a list of problems ends with the number of those that do not fit")
    func shortened() {
        let error = ConfigError([problem("a"), problem("b"), problem("c")])
        #expect(error.lines(upTo: 3) == ["a.toml: a: is bad", "a.toml: b: is bad", "a.toml: c: is bad"])
        #expect(error.lines(upTo: 2) == ["a.toml: a: is bad", "a.toml: b: is bad", "and 1 more"])
    }
}
