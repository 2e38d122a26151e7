import Testing
import V4L2

@testable import Swatchcam

@Suite("The desk of a thread", .timeLimit(.minutes(10)))
struct DeskTests {
    @Test("hands on what is asked, and refuses what is too much at once")
    func bound() async throws {
        let desk = try CaptureDesk()
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await desk.ask(.device("\(number)")) } }
            // Nobody answers: the one answer that comes is the refusal of the ninth.
            #expect(await group.next() == .failure(.unavailable))
            var taken: Set<String> = []
            while let request = desk.take() {
                if case .device(let name) = request.wish { taken.insert(name) }
                request.answer(.failure(.unusable("No.")))
            }
            #expect(taken.count == 8)
            for await result in group { #expect(result == .failure(.unusable("No."))) }
        }
    }

    @Test("answers everybody when it closes, and all who come later")
    func close() async throws {
        let desk = try CaptureDesk()
        desk.stop()
        #expect(desk.isStopped)
        #expect(await desk.ask(.next) == .failure(.unavailable))
        #expect(desk.waker.wait(until: .now() + 3600))
    }
}
