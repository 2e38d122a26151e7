import FlyingFox
import Foundation
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("The hub")
struct HubTests {
    private let message = Message(text: Data("reading".utf8))

    /// A message that tells when it is made, which is when somebody gets it.
    private static func made(_ message: Message, _ wasMade: Latest<Bool>) -> Message {
        wasMade.publish(true)
        return message
    }

    @Test("greets who joins others with what they had last")
    func greeting() async throws {
        let hub = Hub(capacity: 2)
        let first = try #require(hub.join())
        hub.offer(Message(text: Data("old".utf8)))
        hub.offer(message)
        let second = try #require(hub.join())
        #expect(await second.mailbox.next() == message.frame)
        withExtendedLifetime(first) {}
    }

    @Test("greets the first with what lasts, and not with a colour of long ago", arguments: [true, false])
    func greetingOfTheFirst(isLasting: Bool) async throws {
        let hub = Hub(capacity: 1)
        let wasMade = Latest(false)
        hub.offer(Self.made(message, wasMade), isLasting: isLasting)
        let client = try #require(hub.join())
        #expect(wasMade.value == isLasting)
        withExtendedLifetime(client) {}
    }

    @Test("does not greet with a colour that others had before they left")
    func greetingAfterOthers() async throws {
        let hub = Hub(capacity: 1)
        var before = hub.join()
        #expect(before != nil)
        let wasMade = Latest(false)
        hub.offer(Self.made(message, wasMade))
        before = nil
        wasMade.publish(false)
        let client = try #require(hub.join())
        #expect(!wasMade.value)
        withExtendedLifetime(client) {}
    }

    @Test("watches the readings while anyone is here")
    func watching() throws {
        let audience = Audience()
        let hub = Hub(capacity: 2, audience: audience)
        #expect(!audience.isWatching)
        var clients = try (0..<2).map { _ in try #require(hub.join()) }
        #expect(audience.isWatching)
        clients.removeLast()
        #expect(audience.isWatching)
        clients.removeLast()
        #expect(!audience.isWatching)
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
