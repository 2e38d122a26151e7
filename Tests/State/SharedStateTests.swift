import Foundation
import TestSupport
import Testing

@testable import Documents
@testable import Handoff
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
}
