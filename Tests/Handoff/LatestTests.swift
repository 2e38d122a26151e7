import Testing

@testable import Handoff

@Suite("The newest value")
struct LatestTests {
    @Test("is all that a slow listener finds")
    func newestWins() async {
        let latest = Latest(0)
        var updates = latest.updates().makeAsyncIterator()
        for value in 1...1000 { latest.publish(value) }
        #expect(await updates.next() == 1000)
    }

    @Test("reaches every listener")
    func everyListener() async {
        let latest = Latest("")
        var one = latest.updates().makeAsyncIterator()
        var two = latest.updates().makeAsyncIterator()
        latest.publish("new")
        #expect(await one.next() == "new")
        #expect(await two.next() == "new")
    }

    @Test("knows whether anyone listens")
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
