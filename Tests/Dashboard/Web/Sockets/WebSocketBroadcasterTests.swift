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
    private let broadcaster = WebSocketBroadcaster()

    /// Returns a message that counts how often it is encoded.
    private static func counted(_ message: TextFrame, _ count: Latest<Int>) -> TextFrame {
        count.update { $0 += 1 }
        return message
    }

    @Test("a client that joins others gets the message that they got last")
    func greeting() async throws {
        let first = try #require(broadcaster.join())
        broadcaster.offer(TextFrame(text: Data("old".utf8)))
        broadcaster.offer(message)
        let second = try #require(broadcaster.join())
        #expect(await second.outbox.next() == message.frame)
        withExtendedLifetime(first) {}
    }

    @Test("the first client gets a lasting message on joining, but not an old colour", arguments: [true, false])
    func greetingOfTheFirst(isLasting: Bool) async throws {
        let count = Latest(0)
        broadcaster.offer(Self.counted(message, count), isLasting: isLasting)
        let clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        // It is encoded once for all clients.
        #expect(count.value == (isLasting ? 1 : 0))
        withExtendedLifetime(clients) {}
    }

    @Test("a client that joins after all others have left does not get their last colour")
    func greetingAfterOthers() async throws {
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
    func encodedOnce(isLasting: Bool) async throws {
        var clients = try (0..<2).map { _ in try #require(broadcaster.join()) }
        let count = Latest(0)
        broadcaster.offer(Self.counted(message, count), isLasting: isLasting)
        clients += try (0..<2).map { _ in try #require(broadcaster.join()) }
        #expect(count.value == 1)
        for client in clients { #expect(await client.outbox.next() == message.frame) }
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

    @Test("closing the broadcaster closes all clients and refuses new ones")
    func close() async throws {
        let client = try #require(broadcaster.join())
        broadcaster.close(.goingAway)
        #expect(await client.outbox.next() == .close(code: .goingAway))
        #expect(broadcaster.join() == nil)
    }
}
