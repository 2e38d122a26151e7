import Testing

@testable import Capture
@testable import Handoff
@testable import State

@Suite("The capacities of the queues of requests")
struct RequestCapacityTests {
    /// Returns how many of a hundred commands a queue accepts at once.
    private func accepted<Work: Command>(_ command: Work) throws -> Int {
        let requests = try RequestQueue<Work>()
        let refused = Latest(0)
        for _ in 0..<100 {
            requests.enqueue(.init(command: command) { _ in refused.update { $0 += 1 } })
        }
        return 100 - refused.value
    }

    @Test("eight requests for a camera and 32 for controls may wait at a time")
    func capacities() throws {
        #expect(try accepted(CameraCommand.next) == 8)
        #expect(try accepted(ControlCommand.reset) == 32)
    }
}
