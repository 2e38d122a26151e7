import Logging
import Testing

@testable import Configuration
@testable import Handoff
@testable import Swatchcam

@Suite("Live log handler")
struct LiveLogHandlerTests {
    @Test("every copy of a logger follows log.level while the program runs")
    func level() {
        let config = Latest(Settings())
        let log = Logger(following: config)
        var copy = log
        copy.logLevel = .critical
        #expect((log.logLevel, copy.logLevel) == (.info, .info))
        config.update { $0.effective.log.level = .trace }
        #expect((log.logLevel, copy.logLevel) == (.trace, .trace))
    }
}
