import Testing

@testable import Dashboard

@Suite("Picture request", .timeLimit(.minutes(20)))
struct PictureRequestTests {
    private let request = PictureRequest()

    @Test("a request is open as soon as it arrives")
    func open() async {
        #expect(request.arrived())
        #expect(await request.next())
    }

    @Test("a request that arrives before the picture of the last one is written has no effect")
    func outstanding() {
        #expect(request.arrived())
        #expect(!request.arrived())
        request.found()
        #expect(!request.arrived())
    }

    @Test("a request that arrives after the picture of the last one was written is open")
    func afterwards() async {
        #expect(request.arrived())
        #expect(await request.next())
        request.found()
        request.isBeingWritten()
        request.written()
        #expect(request.arrived())
        #expect(await request.next())
    }

    @Test("a request that arrives while a picture is written is open once the picture is written")
    func meanwhile() async {
        #expect(request.arrived())
        #expect(await request.next())
        request.found()
        request.isBeingWritten()
        #expect(request.arrived())
        #expect(!request.arrived())
        request.written()
        #expect(!request.arrived())
        #expect(await request.next())
    }

    @Test("a frame that is not a picture does not end a request")
    func otherFrame() {
        #expect(request.arrived())
        request.written()
        #expect(!request.arrived())
    }

    @Test("waiting for a request ends when the task is cancelled")
    func cancellation() async {
        let waiting = Task { await request.next() }
        waiting.cancel()
        #expect(await waiting.value == false)
    }
}
