import Testing

@testable import Readings

@Suite("The span of a history")
struct HistorySpanTests {
    @Test(
        "a whole number with a unit is a span",
        arguments: [
            ("10s", 10.0), ("90s", 90), ("10m", 600), ("1h", 3600), ("31d", 2_678_400), ("2678400s", 2_678_400),
        ])
    func good(text: String, seconds: Double) {
        #expect(HistorySpan(text)?.seconds == seconds)
    }

    @Test(
        "any other text is not a span",
        arguments: [
            "", "m", "10", "9s", "32d", "2678401s", "1e9d", "1e1m", "-1m", "+10m", "10 m", "10 M", "10M", "1.5h",
            "NaNs",
            "١٢m", "12m\u{301}", "10ms", "99999999999999999999s", "00000010s", "0x10m", "infd",
        ])
    func bad(text: String) {
        #expect(HistorySpan(text) == nil)
    }
}
