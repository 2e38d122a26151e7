import Testing

@testable import Swatchcam

@Suite("Guesses of a token")
struct GuessBudgetTests {
    private let start = GuessBudget.Instant.now

    @Test("are ten, and then one every six seconds")
    func refill() {
        var budget = GuessBudget()
        for _ in 1...10 {
            #expect(budget.allowsGuess(from: "a", at: start))
            budget.spend(from: "a", at: start)
        }
        #expect(!budget.allowsGuess(from: "a", at: start + .milliseconds(5_999)))
        #expect(budget.allowsGuess(from: "a", at: start + .seconds(6)))
        budget.spend(from: "a", at: start + .seconds(6))
        #expect(!budget.allowsGuess(from: "a", at: start + .seconds(6)))
    }

    @Test("of one do not count for another")
    func places() {
        var budget = GuessBudget()
        for _ in 1...20 { budget.spend(from: "a", at: start) }
        #expect(budget.allowsGuess(from: "b", at: start))
    }

    @Test("from very many places forget those of longest ago first")
    func bounded() {
        var budget = GuessBudget()
        for _ in 1...10 { budget.spend(from: "newest", at: start + .milliseconds(2)) }
        for index in 0..<GuessBudget.mostPlaces {
            for _ in 1...10 { budget.spend(from: "\(index)", at: start + .milliseconds(1)) }
        }
        #expect(!budget.allowsGuess(from: "newest", at: start + .milliseconds(3)))
    }
}
