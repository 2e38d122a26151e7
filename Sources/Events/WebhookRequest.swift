import CCurl
import FoundationEssentials

/// A request to the webhook, which blocks the thread that sends it, and which another thread may cancel.
@safe final class WebhookRequest: Sendable {
    /// How a request ended.
    struct Outcome {
        /// The code of libcurl.
        var code: Int32
        /// The status of the response; 0 if there was none.
        var status: Int
        /// What the library says, which may be empty.
        var message: String
    }

    /// The maximum times to connect, and for everything together, in milliseconds.
    private static let (connectTimeout, timeout) = (10_000, 20_000)

    private nonisolated(unsafe) let request: OpaquePointer

    /// The version of the library: `8.14.1`.
    static var version: String { unsafe String(cString: swatchcam_curl_version()) }

    /// Loads the library if necessary.
    /// - Throws: `WebhookFailure` if it cannot be loaded, or if there is no memory.
    init() throws(WebhookFailure) {
        if let reason = unsafe swatchcam_curl_load() { throw .library(unsafe String(cString: reason)) }
        guard let request = unsafe swatchcam_curl_new() else { throw .noMemory }
        unsafe self.request = request
    }

    deinit { unsafe swatchcam_curl_free(request) }

    /// Ends ``post(_:to:isEncrypted:token:userAgent:)`` soon, on whichever thread it runs.
    func cancel() { unsafe swatchcam_curl_cancel(request) }

    /// Sends a document, and waits for the response.
    func post(_ body: Data, to url: String, isEncrypted: Bool, token: String?, userAgent: String) -> Outcome {
        var result = swatchcam_curl_result()
        let header = token.map { Array("Authorization: Bearer \($0)".utf8CString) }
        unsafe url.withCString { url in
            unsafe userAgent.withCString { userAgent in
                unsafe Array(body).withUnsafeBufferPointer { body in
                    func send(_ header: UnsafePointer<CChar>?) {
                        var post = unsafe swatchcam_curl_post(
                            url: url, isEncrypted: isEncrypted, authorization: header, userAgent: userAgent,
                            body: body.baseAddress, size: body.count, connectTimeout: Self.connectTimeout,
                            timeout: Self.timeout)
                        unsafe swatchcam_curl_post(request, &post, &result)
                    }
                    if let header {
                        unsafe header.withUnsafeBufferPointer { unsafe send($0.baseAddress) }
                    } else {
                        send(nil)
                    }
                }
            }
        }
        let message = unsafe withUnsafeBytes(of: &result.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Outcome(code: result.code, status: result.status, message: message)
    }
}
