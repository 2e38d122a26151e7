import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff

@Suite("Outbox", .timeLimit(.minutes(20)))
struct OutboxTests {
    private func message(_ text: String) -> TextFrame { TextFrame(text: Data(text.utf8)) }
    private func frame(_ text: String) -> WSFrame { message(text).frame }

    @Test("only the newest frame is kept for a slow client")
    func newestWins() async {
        let slow = Outbox()
        for number in 1...1000 { slow.offer(message("\(number)")) }
        #expect(await slow.next() == frame("1000"))
        slow.offer(message("1001"))
        #expect(await slow.next() == frame("1001"))
    }

    @Test("a client for whose message there are no places gets a close frame, and no message", arguments: [1, 2])
    func room(held: Int) async throws {
        let limiter = ShareLimiter<ClientKey>(total: 4) { _ in .init(max: 4) }
        let outbox = Outbox()
        #expect(outbox.attach(nil, MessageRoom(of: ClientKey(access: .view), in: limiter)))
        // A message of 10,000 bytes needs two places, that of 10 none.
        let others = try #require(limiter.begin(4 - held, for: ClientKey(access: .control)))
        outbox.offer(message(String(repeating: "a", count: 10)))
        outbox.offer(message(String(repeating: "a", count: 10_000)))
        let frame = await outbox.next()
        #expect(frame?.opcode == (held == 2 ? .text : .close))
        #expect((frame?.payload.count == 10_000) == (held == 2))
        withExtendedLifetime(others) {}
    }

    @Test("the newest of several pings is answered, before data is sent")
    func pong() async {
        let outbox = Outbox(first: frame("data"))
        for number in 1...1000 { outbox.pong(Data("\(number)".utf8)) }
        let pong = await outbox.next()
        #expect(pong?.opcode == .pong)
        #expect(pong?.payload == Data("1000".utf8))
        #expect(await outbox.next() == frame("data"))
    }

    @Test("a close frame replaces waiting data and is the last frame sent")
    func close() async {
        let outbox = Outbox(first: frame("unsent"))
        outbox.ping()
        outbox.close(.close(code: .goingAway))
        outbox.close(.close(code: .protocolError))
        outbox.offer(message("late"))
        #expect(await outbox.next() == .close(code: .goingAway))
        #expect(await outbox.next() == nil)
    }

    @Test("the outbox of a client that does not answer pings ends")
    func silence() async {
        let outbox = Outbox()
        outbox.ping()
        outbox.pongArrived()
        for _ in 1...2 {
            outbox.ping()
            #expect(await outbox.next() == .ping)
        }
        outbox.ping()
        #expect(await outbox.next() == nil)
    }

    @Test("the outbox of a client that has left ends")
    func abort() async {
        let outbox = Outbox(first: frame("unsent"))
        outbox.abort()
        #expect(await outbox.next() == nil)
    }

    @Test("a waiting client gets the next frame, and the outbox ends if it leaves", arguments: [true, false])
    func waiting(leaves: Bool) async {
        let outbox = Outbox()
        async let next = outbox.next()
        await waitUntil("the client waits for a frame") { outbox.isWaiting }
        if leaves { outbox.abort() } else { outbox.offer(message("now")) }
        #expect(await next == (leaves ? nil : frame("now")))
    }
}
