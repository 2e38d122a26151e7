import CCurl
import Testing

@testable import Events

@Suite("Reasons why an event was not sent")
struct WebhookFailureTests {
    private func failure(_ code: Int32 = 0, status: Int = 0, hasToken: Bool = false) -> WebhookFailure? {
        WebhookFailure(
            .init(code: code, status: status, message: "It\u{1B} says so."), place: "ntfy.example:443",
            isEncrypted: true, hasToken: hasToken)
    }

    @Test("every status of success ends without a failure", arguments: [200, 202, 204, 299])
    func success(status: Int) { #expect(failure(status: status) == nil) }

    @Test("a request that was cancelled has not failed")
    func cancelled() { #expect(failure(SWATCHCAM_CURL_CANCELLED) == nil) }

    @Test("an event is given up only if sending it again cannot help", arguments: [400, 405, 410, 413, 422])
    func final(status: Int) { #expect(failure(status: status)?.isFinal == true) }

    @Test("an event is sent again if the receiver may change its mind", arguments: [401, 403, 404, 408, 429, 500, 503])
    func temporary(status: Int) { #expect(failure(status: status)?.isFinal == false) }

    @Test("what the library says is shown without control characters")
    func sanitized() {
        #expect(failure(99)?.description.unicodeScalars.contains("\u{1B}") == false)
    }

    @Test("a refusal names the key of the token that is missing or wrong")
    func token() {
        #expect(failure(status: 401)?.description.contains("If it requires a token") == true)
        #expect(failure(status: 403, hasToken: true)?.description.contains("Check the token") == true)
    }
}
