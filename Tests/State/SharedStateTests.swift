import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage

@Suite("The values that the parts of the program share")
struct SharedStateTests {
    private let folder: TemporaryFolder
    private let recorder = LogRecorder()

    init() throws { folder = try TemporaryFolder() }

    @Test("files that were put aside are in one notice and in the log, and the program starts without them")
    func notice() throws {
        for name in ["camera", "settings", "samples", "reference"] { try folder.write("?", to: name + ".json") }
        let notices = Notices()
        let shared = try SharedState(notices: notices, folder: StateFolder(folder.path), log: recorder.log)
        #expect(shared.samples.list.samples.isEmpty)
        let notice = try #require(notices.all.first { $0.topic == .storage }?.message)
        #expect(notice.components(separatedBy: "It was renamed to").count == 5)
        #expect(recorder.lines == [notice])
    }

    @Test("the first reading states the configured rate, from which clients know when to expect the next")
    func rate() throws {
        var config = Config()
        config.readings.rate = 0.5
        let shared = try SharedState(config: Latest(Settings(config)), log: recorder.log)
        #expect(shared.readings.value.rate.wanted == 0.5)
    }
}
