import Foundation
import Testing

@testable import Readings

@Suite("The list of marks")
struct MarkListTests {
    private static let start = Date(timeIntervalSince1970: 1_795_132_800)
    private var list = MarkList()

    private mutating func add(
        _ count: Int = 1, _ kind: Mark.Kind = .user, about subject: String? = nil, by client: String = "",
        at seconds: Double = 0
    ) {
        for _ in 0..<count { _ = list.add(kind, "x", about: subject, by: client, at: Self.start + seconds) }
    }

    private mutating func restore(_ count: Int, _ kind: Mark.Kind = .user) {
        list.restore((0..<count).map { Mark(time: Self.start - Double($0), kind: kind, text: "x") })
    }

    private var marks: [Mark] { list.marks(in: .distantPast ... .distantFuture) }

    /// The numbers of marks that are kept, by source.
    private var counts: [Mark.Source: Int] { marks.reduce(into: [:]) { $0[$1.source, default: 0] += 1 } }

    /// The numbers of the marks that have yet to be written.
    private mutating func pending(at seconds: Double = 10, isLast: Bool = false) -> [Int] {
        list.pending(at: Self.start + seconds, isLast: isLast).map(\.id)
    }

    @Test("a client that sets many marks pushes out its own, not those of the program or of another client")
    mutating func flood() {
        add(300, .lost)
        add(100, by: "192.0.2.1")
        add(5000, by: "192.0.2.2")
        #expect(
            counts == [.program(.lost): 300, .client("192.0.2.1"): 100, .client("192.0.2.2"): 600])
        #expect(marks.last?.id == 5400)
    }

    @Test("several clients that set many marks leave the program half of the places, and share the rest")
    mutating func manyClients() {
        add(2000, .controls)
        for client in ["192.0.2.1", "192.0.2.2"] { add(2000, by: client) }
        #expect(
            counts == [.program(.controls): 500, .client("192.0.2.1"): 250, .client("192.0.2.2"): 250])
    }

    @Test("many changes of one kind push out their own marks, not those of another kind")
    mutating func kinds() {
        add(10, .lock)
        add(10, .lost)
        add(3000, .controls)
        #expect(counts == [.program(.lock): 10, .program(.lost): 10, .program(.controls): 980])
    }

    @Test("marks of an earlier run take the places that are free, and no more than their share of the others")
    mutating func restored() {
        add(700, by: "192.0.2.1")
        restore(2000, .lost)
        #expect(counts == [.client("192.0.2.1"): 500, .program(.lost): 500])
        restore(2000)
        #expect(counts == [.client("192.0.2.1"): 250, .client(""): 250, .program(.lost): 500])
    }

    @Test("a client's mark can be found and removed by its number, and the program's cannot be found")
    mutating func removed() {
        add(1, .lost)
        add(2, by: "192.0.2.1")
        #expect(list.mark(ofClient: 1) == nil && list.mark(ofClient: 4) == nil)
        #expect(list.mark(ofClient: 2)?.id == 2)
        list.remove(2)
        #expect(marks.map(\.id) == [1, 3])
        #expect(pending() == [1])
    }

    @Test("the program's marks wait to be written, even if they are no longer among the newest, and clients' do not")
    mutating func waiting() {
        add(2, .lost)
        add(600, .controls)
        add(2000, by: "192.0.2.1")
        #expect(pending() == Array(1...602))
        list.removePending(through: 600)
        #expect(pending() == [601, 602])
    }

    @Test("if too many of the program's marks wait, those of the kind that has the most are dropped")
    mutating func tooManyWaiting() {
        add(1, .lost)
        add(1500, .controls)
        let pending = pending()
        #expect(pending.count == 1000 && pending.first == 1 && pending.last == 1501)
    }

    @Test("a mark that may still be moved is written the next time, as it is then")
    mutating func moved() {
        add(1, .lost)
        add(1, .region, about: "region", at: 1)
        #expect(pending(at: 3) == [1])
        add(1, .region, about: "region", at: 3)
        #expect(pending(at: 5) == [1])
        #expect(pending(at: 5.1) == [1, 2])
        #expect(list.pending(at: Self.start + 6, isLast: false).last?.time == Self.start + 3)
    }

    @Test("a mark that is being written is not moved", arguments: [false, true])
    mutating func beingWritten(isLast: Bool) {
        add(1, .region, about: "region")
        #expect(pending(at: isLast ? 1 : 2.5, isLast: isLast) == [1])
        // The clock of the change was read before.
        add(1, .region, about: "region", at: 1)
        #expect(marks.map(\.id) == [1, 2])
    }

    @Test("a mark in the future, after the clock was set back, does not wait")
    mutating func clockSetBack() {
        add(1, .region, about: "region", at: 3600)
        #expect(pending(at: 1) == [1])
    }

    @Test("a mark that another one follows does not wait, because no change moves it")
    mutating func followed() {
        add(1, .region, about: "region", at: 9)
        add(1, by: "192.0.2.1", at: 9)
        #expect(pending(at: 9) == [1])
    }

    @Test("the mark of an event is written once its picture may be there, with those that follow it")
    mutating func pictures() {
        add(1, .controls, at: 0)
        let event = list.add(.light, "off → on", at: Self.start + 1, event: .init(name: "Fault", from: "off", to: "on"))
        add(1, .controls, at: 2)
        #expect(pending(at: 3) == [1])
        #expect(list.setPicture("api/events/1.jpg", of: event.id)?.event?.picture == "api/events/1.jpg")
        #expect(pending(at: 7) == [1, 2, 3])
        #expect(list.pending(at: Self.start + 7, isLast: false)[1].event?.picture == "api/events/1.jpg")
        #expect(pending(at: 3, isLast: true) == [1, 2, 3])
        #expect(list.setPicture("x", of: 99) == nil)
    }
}
