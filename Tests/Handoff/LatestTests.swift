import Testing

@testable import Handoff

@Suite("Latest")
struct LatestTests {
    @Test("a slow listener gets only the newest value")
    func newestWins() async {
        let latest = Latest(0)
        var updates = latest.updates().makeAsyncIterator()
        for value in 1...1000 { latest.publish(value) }
        #expect(await updates.next() == 1000)
    }

    @Test("a published value reaches every listener")
    func everyListener() async {
        let latest = Latest("")
        var one = latest.updates().makeAsyncIterator()
        var two = latest.updates().makeAsyncIterator()
        latest.publish("new")
        #expect(await one.next() == "new")
        #expect(await two.next() == "new")
    }

    @Test("a value is observed while it has a listener")
    func observed() async {
        let latest = Latest(0)
        #expect(!latest.isObserved)
        do {
            var updates = latest.updates().makeAsyncIterator()
            latest.publish(1)
            _ = await updates.next()
            #expect(latest.isObserved)
        }
        #expect(!latest.isObserved)
    }
}
