import FlyingFox
import Foundation
import Testing

@testable import Swatchcam

@Suite("The hub")
struct HubTests {
    private let message = Message(text: Data("reading".utf8))

    @Test("greets a new client with the newest frame")
    func greeting() async throws {
        let hub = Hub(capacity: 1)
        hub.offer(Message(text: Data("old".utf8)))
        hub.offer(message)
        let client = try #require(hub.join())
        #expect(await client.mailbox.next() == message.frame)
    }

    @Test("offers a frame to everyone")
    func everyone() async throws {
        let hub = Hub(capacity: 3)
        let clients = try (0..<3).map { _ in try #require(hub.join()) }
        hub.offer(message)
        for client in clients { #expect(await client.mailbox.next() == message.frame) }
    }

    @Test("takes no more clients than it has room for, and room comes back")
    func bounded() throws {
        let hub = Hub(capacity: 2)
        let first = try #require(hub.join())
        var second = hub.join()
        #expect(second != nil)
        #expect(hub.join() == nil)
        second = nil
        #expect(hub.count == 1)
        #expect(hub.join() != nil)
        withExtendedLifetime(first) {}
    }

    @Test("closes everyone, and lets nobody in afterwards")
    func close() async throws {
        let hub = Hub(capacity: 2)
        let client = try #require(hub.join())
        hub.close(.goingAway)
        #expect(await client.mailbox.next() == .close(code: .goingAway))
        #expect(hub.join() == nil)
    }

    @Test("tells when the last client has left")
    func empty() async throws {
        let hub = Hub(capacity: 1)
        var client = hub.join()
        #expect(client != nil)
        async let waiting: Void = hub.waitUntilEmpty(upTo: .seconds(3600))
        client = nil
        await waiting
        #expect(hub.count == 0)
    }
}
