import Testing

@testable import Dashboard
@testable import State

@Suite("Picture request", .timeLimit(.minutes(20)))
struct PictureRequestTests {
    private let request = PictureRequest()

    @Test("a request that arrives before the picture of the last one is written has no effect")
    func outstanding() {
        #expect(request.register())
        #expect(!request.register())
        request.pictureFound()
        #expect(!request.register())
    }

    @Test("a request that arrives after the picture of the last one was written is open")
    func afterwards() async {
        #expect(request.register())
        #expect(await request.next())
        request.pictureFound()
        request.beginWriting()
        request.finishWriting()
        #expect(request.register())
        #expect(await request.next())
    }

    @Test("a request that arrives while a picture is written is open once the picture is written")
    func meanwhile() async {
        #expect(request.register())
        #expect(await request.next())
        request.pictureFound()
        request.beginWriting()
        #expect(request.register())
        #expect(!request.register())
        request.finishWriting()
        #expect(!request.register())
        #expect(await request.next())
    }

    @Test("a frame that is not a picture does not end a request")
    func otherFrame() {
        #expect(request.register())
        request.finishWriting()
        #expect(!request.register())
    }

    @Test("waiting for a request ends when the task is cancelled")
    func cancellation() async {
        let waiting = Task { await request.next() }
        waiting.cancel()
        #expect(await waiting.value == false)
    }
}
