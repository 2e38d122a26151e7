import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff
@testable import Readings

@Suite("WebSocket broadcaster", .timeLimit(.minutes(20)))
struct WebSocketBroadcasterTests {
    private let message = TextFrame(text: Data("reading".utf8))

    /// Returns a message that records when it is encoded, which happens when a client gets it.
    private static func made(_ message: TextFrame, _ wasMade: Latest<Bool>) -> TextFrame {
        wasMade.publish(true)
        return message
    }

    /// Returns a message that counts how often it is encoded.
    private static func counted(_ message: TextFrame, _ count: Latest<Int>) -> TextFrame {
        count.update { $0 += 1 }
        return message
    }

    @Test("a client that joins others gets the message that they got last")
    func greeting() async throws {
        let broadcaster = WebSocketBroadcaster()
        let first = try #require(broadcaster.join())
        broadcaster.offer(TextFrame(text: Data("old".utf8)))
        broadcaster.offer(message)
        let second = try #require(broadcaster.join())
        #expect(await second.outbox.next() == message.frame)
        withExtendedLifetime(first) {}
    }

    @Test("the first client gets a lasting message on joining, but not an old colour", arguments: [true, false])
    func greetingOfTheFirst(isLasting: Bool) async throws {
        let broadcaster = WebSocketBroadcaster()
        let wasMade = Latest(false)
        broadcaster.offer(Self.made(message, wasMade), isLasting: isLasting)
        let client = try #require(broadcaster.join())
        #expect(wasMade.value == isLasting)
        withExtendedLifetime(client) {}
    }

    @Test("a client that joins after all others have left does not get their last colour")
    func greetingAfterOthers() async throws {
        let broadcaster = WebSocketBroadcaster()
        var before = broadcaster.join()
        #expect(before != nil)
        broadcaster.offer(message)
        before = nil
        let client = try #require(broadcaster.join())
        let hasTaken = Latest(false)
        let taking = Task {
            let frame = await client.outbox.next()
            hasTaken.publish(true)
            return frame
        }
        await waitUntil("the client waits or has a frame") { client.outbox.isWaiting || hasTaken.value }
        client.outbox.abort()
        #expect(await taking.value == nil)
    }

    @Test("a message is encoded once, however many clients get it and join later", arguments: [true, false])
    func encodedOnce(isLasting: Bool) throws {
        let broadcaster = WebSocketBroadcaster()
        var clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        let count = Latest(0)
        broadcaster.offer(Self.counted(message, count), isLasting: isLasting)
        clients += try (0..<2).map { _ in try #require(broadcaster.join()) }
        #expect(count.value == 1)
        withExtendedLifetime(clients) {}
    }

    @Test("a lasting message is encoded once for all clients that join later")
    func lastingEncodedOnce() throws {
        let broadcaster = WebSocketBroadcaster()
        let count = Latest(0)
        broadcaster.offer(Self.counted(message, count), isLasting: true)
        let clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        #expect(count.value == 1)
        withExtendedLifetime(clients) {}
    }

    @Test("the broadcaster demands readings while it has clients")
    func watching() throws {
        let demand = Demand()
        let broadcaster = WebSocketBroadcaster(demand: demand)
        #expect(!demand.isWatching)
        var clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        #expect(demand.isWatching)
        clients.removeLast()
        #expect(demand.isWatching)
        clients.removeLast()
        #expect(!demand.isWatching)
    }

    @Test("waiting for an empty broadcaster does not end before the last client leaves")
    func lastClient() async throws {
        let broadcaster = WebSocketBroadcaster()
        var clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        // Returns the number of clients at the end.
        let waiting = Task {
            await broadcaster.waitUntilEmpty(upTo: .seconds(3600))
            return broadcaster.count
        }
        await waitUntil("the task waits") { broadcaster.clientCount.isObserved }
        clients.removeLast()
        // Time for a wait that ends too early.
        for _ in 1...100 { await Task.yield() }
        clients.removeLast()
        #expect(await waiting.value == 0)
    }

    @Test("every client gets a frame")
    func everyone() async throws {
        let broadcaster = WebSocketBroadcaster()
        let clients = try (0..<3).map { _ in try #require(broadcaster.join()) }
        broadcaster.offer(message)
        for client in clients { #expect(await client.outbox.next() == message.frame) }
    }

    @Test("closing the broadcaster closes all clients and refuses new ones")
    func close() async throws {
        let broadcaster = WebSocketBroadcaster()
        let client = try #require(broadcaster.join())
        broadcaster.close(.goingAway)
        #expect(await client.outbox.next() == .close(code: .goingAway))
        #expect(broadcaster.join() == nil)
    }

    @Test("waiting for an empty broadcaster ends when the last client leaves")
    func empty() async throws {
        let broadcaster = WebSocketBroadcaster()
        var client = broadcaster.join()
        #expect(client != nil)
        async let waiting: Void = broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        client = nil
        await waiting
        #expect(broadcaster.count == 0)
    }
}
