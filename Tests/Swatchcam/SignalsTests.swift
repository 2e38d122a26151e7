import Foundation
import Testing

@testable import Swatchcam

@Suite("The signals of the program")
struct SignalsTests {
    @Test("a signal that arrives as soon as the program handles signals is not lost", .timeLimit(.minutes(20)))
    func early() async throws {
        let signals = try Signals()
        // To the process, as other programs send it, because this thread may block signals.
        kill(getpid(), SIGHUP)
        var reloads = signals.reloads.makeAsyncIterator()
        #expect(await reloads.next() != nil)
    }
}
