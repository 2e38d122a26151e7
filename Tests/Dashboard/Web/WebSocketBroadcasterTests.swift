import FlyingFox
import Foundation
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("The WebSocket broadcaster")
struct WebSocketBroadcasterTests {
    private let message = TextFrame(text: Data("reading".utf8))

    /// A message that tells when it is made, which is when somebody gets it.
    private static func made(_ message: TextFrame, _ wasMade: Latest<Bool>) -> TextFrame {
        wasMade.publish(true)
        return message
    }

    @Test("greets who joins others with what they had last")
    func greeting() async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 2)
        let first = try #require(broadcaster.join())
        broadcaster.offer(TextFrame(text: Data("old".utf8)))
        broadcaster.offer(message)
        let second = try #require(broadcaster.join())
        #expect(await second.outbox.next() == message.frame)
        withExtendedLifetime(first) {}
    }

    @Test("greets the first with what lasts, and not with a colour of long ago", arguments: [true, false])
    func greetingOfTheFirst(isLasting: Bool) async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 1)
        let wasMade = Latest(false)
        broadcaster.offer(Self.made(message, wasMade), isLasting: isLasting)
        let client = try #require(broadcaster.join())
        #expect(wasMade.value == isLasting)
        withExtendedLifetime(client) {}
    }

    @Test("does not greet with a colour that others had before they left")
    func greetingAfterOthers() async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 1)
        var before = broadcaster.join()
        #expect(before != nil)
        let wasMade = Latest(false)
        broadcaster.offer(Self.made(message, wasMade))
        before = nil
        wasMade.publish(false)
        let client = try #require(broadcaster.join())
        #expect(!wasMade.value)
        withExtendedLifetime(client) {}
    }

    @Test("watches the readings while anyone is here")
    func watching() throws {
        let demand = Demand()
        let broadcaster = WebSocketBroadcaster(capacity: 2, demand: demand)
        #expect(!demand.isWatching)
        var clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        #expect(demand.isWatching)
        clients.removeLast()
        #expect(demand.isWatching)
        clients.removeLast()
        #expect(!demand.isWatching)
    }

    @Test("offers a frame to everyone")
    func everyone() async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 3)
        let clients = try (0..<3).map { _ in try #require(broadcaster.join()) }
        broadcaster.offer(message)
        for client in clients { #expect(await client.outbox.next() == message.frame) }
    }

    @Test("takes no more clients than it has room for, and room comes back")
    func bounded() throws {
        let broadcaster = WebSocketBroadcaster(capacity: 2)
        let first = try #require(broadcaster.join())
        var second = broadcaster.join()
        #expect(second != nil)
        #expect(broadcaster.join() == nil)
        second = nil
        #expect(broadcaster.count == 1)
        #expect(broadcaster.join() != nil)
        withExtendedLifetime(first) {}
    }

    @Test("closes everyone, and lets nobody in afterwards")
    func close() async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 2)
        let client = try #require(broadcaster.join())
        broadcaster.close(.goingAway)
        #expect(await client.outbox.next() == .close(code: .goingAway))
        #expect(broadcaster.join() == nil)
    }

    @Test("tells when the last client has left")
    func empty() async throws {
        let broadcaster = WebSocketBroadcaster(capacity: 1)
        var client = broadcaster.join()
        #expect(client != nil)
        async let waiting: Void = broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        client = nil
        await waiting
        #expect(broadcaster.count == 0)
    }
}
