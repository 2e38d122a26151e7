import FlyingFox
import Foundation
import Testing

@testable import Dashboard

@Suite("A mailbox")
struct MailboxTests {
    private func message(_ text: String) -> Message { Message(text: Data(text.utf8)) }
    private func frame(_ text: String) -> WSFrame { message(text).frame }

    @Test("keeps only the newest frame for a client that is slow")
    func newestWins() async {
        let slow = Mailbox()
        for number in 1...1000 { slow.offer(message("\(number)")) }
        #expect(await slow.next() == frame("1000"))
        slow.offer(message("1001"))
        #expect(await slow.next() == frame("1001"))
    }

    @Test("hands a frame to a client that waits")
    func waiting() async {
        let mailbox = Mailbox()
        async let next = mailbox.next()
        mailbox.offer(message("now"))
        #expect(await next == frame("now"))
    }

    @Test("answers the newest of many pings, before data")
    func pong() async {
        let mailbox = Mailbox(first: frame("data"))
        for number in 1...1000 { mailbox.pong(Data("\(number)".utf8)) }
        let pong = await mailbox.next()
        #expect(pong?.opcode == .pong)
        #expect(pong?.payload == Data("1000".utf8))
        #expect(await mailbox.next() == frame("data"))
    }

    @Test("sends one close, in place of what waits, and nothing after it")
    func close() async {
        let mailbox = Mailbox(first: frame("unsent"))
        mailbox.ping()
        mailbox.close(.close(code: .goingAway))
        mailbox.close(.close(code: .protocolError))
        mailbox.offer(message("late"))
        #expect(await mailbox.next() == .close(code: .goingAway))
        #expect(await mailbox.next() == nil)
    }

    @Test("ends for a client that answers no ping")
    func silence() async {
        let mailbox = Mailbox()
        mailbox.ping()
        mailbox.pongCame()
        for _ in 1...2 {
            mailbox.ping()
            #expect(await mailbox.next() == .ping)
        }
        mailbox.ping()
        #expect(await mailbox.next() == nil)
    }

    @Test("ends for a client that has gone")
    func finish() async {
        let mailbox = Mailbox(first: frame("unsent"))
        mailbox.finish()
        #expect(await mailbox.next() == nil)
    }

    @Test("ends for a client that goes while it waits")
    func finishWhileWaiting() async {
        let mailbox = Mailbox()
        async let next = mailbox.next()
        mailbox.finish()
        #expect(await next == nil)
    }
}
