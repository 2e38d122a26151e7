import Testing

@testable import Dashboard

@Suite("Picture request", .timeLimit(.minutes(20)))
struct PictureRequestTests {
    private let request = PictureRequest()

    @Test("a request is open until its picture is found")
    func open() async {
        #expect(request.arrived())
        #expect(await request.next())
    }

    @Test("a request before the picture of the last one is written changes nothing")
    func outstanding() {
        #expect(request.arrived())
        #expect(!request.arrived())
        request.found()
        #expect(!request.arrived())
    }

    @Test("a request after a picture was written opens another one")
    func afterwards() async {
        #expect(request.arrived())
        #expect(await request.next())
        request.found()
        request.isBeingWritten()
        request.written()
        #expect(request.arrived())
        #expect(await request.next())
    }

    @Test("a request while a picture is written opens when it is written")
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

    @Test("a frame that is no picture does not end a request")
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
