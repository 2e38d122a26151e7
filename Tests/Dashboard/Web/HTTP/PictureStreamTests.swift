import FlyingSocks
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import State

@Suite("Picture stream", .timeLimit(.minutes(20)))
struct PictureStreamTests {
    private let hub = PictureHub()

    /// Returns what a viewer receives when a picture is offered.
    private func part(_ iterator: PictureStream.Iterator, _ data: String) async throws -> (
        String, PictureStream.Iterator
    ) {
        let reading = Task { [iterator] in
            var iterator = iterator
            let part = try await iterator.nextBuffer(suggested: 1)
            return (String(decoding: part ?? Data(), as: UTF8.self), iterator)
        }
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: .now()).isEmpty }
        hub.offer(
            Picture(data: Data(data.utf8), time: Date(timeIntervalSince1970: 12.5), timestamp: .now()), of: .live,
            at: .now())
        return try await reading.value
    }

    @Test("each picture is a part with its type, length and time, separated by the boundary of the content type")
    func parts() async throws {
        #expect(PictureStream.contentType == "multipart/x-mixed-replace; boundary=swatchcam-picture")
        let stream = PictureStream(subscription: try #require(hub.join(.live)))
        let (first, iterator) = try await part(stream.makeAsyncIterator(), "one")
        #expect(
            first
                == "--swatchcam-picture\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n"
                + "X-Timestamp: 12.500000\r\n\r\none")
        let (second, _) = try await part(iterator, "four")
        #expect(
            second
                == "\r\n--swatchcam-picture\r\nContent-Type: image/jpeg\r\nContent-Length: 4\r\n"
                + "X-Timestamp: 12.500000\r\n\r\nfour")
    }

    @Test(
        "a stream waits for a picture for ten seconds, or for twice the time between two pictures at a low rate",
        arguments: [(nil, 10), (240, 10), (0.2, 10), (0.125, 16), (0.1, 20)] as [(Double?, Int)])
    func maxWait(rate: Double?, seconds: Int) throws {
        let stream = PictureStream(subscription: try #require(hub.join(.live, rate: rate)))
        #expect(stream.maxWait == .seconds(seconds))
    }

    @Test("a stream that ends fails, so that the connection is closed")
    func end() async throws {
        let stream = PictureStream(subscription: try #require(hub.join(.live)))
        hub.end()
        var iterator = stream.makeAsyncIterator()
        await #expect(throws: SocketError.disconnected) { _ = try await iterator.nextBuffer(suggested: 1) }
    }
}
