import Handoff
import Testing

@testable import Dashboard

@Suite("The limiter of downloads")
struct DownloadLimiterTests {
    @Test("a download that ends makes room for one more, and no second one")
    func room() {
        let limiter = DownloadLimiter(capacity: 2)
        var downloads = [limiter.begin(), limiter.begin()]
        #expect(downloads.allSatisfy { $0 != nil })
        #expect(limiter.begin() == nil)
        downloads.removeLast()
        downloads.append(limiter.begin())
        #expect(downloads.last.flatMap(\.self) != nil)
        #expect(limiter.begin() == nil)
    }
}
