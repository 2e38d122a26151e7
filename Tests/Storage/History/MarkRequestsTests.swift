import Testing

@testable import Handoff
@testable import Readings
@testable import Storage

@Suite("The marks that clients want to set", .timeLimit(.minutes(20)))
struct MarkRequestsTests {
    private let requests: MarkRequests

    init() throws { requests = try MarkRequests(timeout: .seconds(600)) }

    @Test("a wait for requests ends although the request came before it")
    func early() async {
        async let reply = requests.submit("x", by: "192.0.2.1")
        await requests.wait()
        let taken = requests.take()
        #expect(
            taken.map(\.command.change.mark.text) == ["x"] && taken.map(\.command.change.mark.client) == ["192.0.2.1"])
        #expect(requests.take().isEmpty)
        for request in taken { request.reply(.failure(.stopping)) }
        #expect(await reply == .failure(.stopping))
    }

    @Test("a mark that is not written in time is refused, and not written later")
    func late() async throws {
        let requests = try MarkRequests(timeout: .milliseconds(1))
        #expect(await requests.submit("x", by: "") == .failure(.tooSlow))
        await requests.wait()
        #expect(requests.take().isEmpty)
    }

    @Test("no more than a number of marks wait")
    func bounded() async {
        let refusals = await withTaskGroup(of: Result<Mark, MarkRefusal>.self) { group in
            for _ in 0..<300 { group.addTask { await requests.submit("x", by: "") } }
            var refusals: [Result<Mark, MarkRefusal>] = []
            for await reply in group where reply != .failure(.stopping) {
                refusals.append(reply)
                if refusals.count == 300 - MarkCommand.capacity { requests.stop() }
            }
            return refusals
        }
        #expect(refusals == Array(repeating: .failure(.queueFull), count: 300 - MarkCommand.capacity))
    }

    @Test("marks that wait at the end are refused, and so are later ones")
    func stopped() async {
        async let reply = requests.submit("x", by: "")
        await requests.wait()
        requests.stop()
        #expect(await reply == .failure(.stopping))
        #expect(await requests.submit("y", by: "") == .failure(.stopping))
    }
}
