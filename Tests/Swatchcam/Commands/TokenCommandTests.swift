import ArgumentParser
import Testing

@testable import Configuration
@testable import Swatchcam

@Suite("The command token")
struct TokenCommandTests {
    @Test("the command prints a token that the configuration accepts, a different one each time")
    func prints() throws {
        let recorded = try RecordedConsole()
        try TokenCommand.parse([]).run(on: recorded.console)
        try TokenCommand.parse([]).run(on: recorded.console)
        let lines = recorded.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        for line in lines { #expect(Token(line) != nil) }
        #expect(Set(lines).count == 2)
    }
}
