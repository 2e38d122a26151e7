import Dashboard

/// The error document with which every route refuses a request.
struct ErrorReport {
    private struct Document: Decodable {
        struct Content: Decodable {
            var code: String
            var message: String
        }

        var error: Content
    }

    let code: String
    let message: String

    /// Creates a report from a response; nil if it is not a refusal from Swatchcam.
    init?(_ response: StatusResponse) {
        guard response.status != 200, let content = response.decoded(as: Document.self)?.error else { return nil }
        (code, message) = (content.code, content.message)
    }

    /// The reason for the refusal, and what to do.
    var advice: String {
        code == "wrong-token" || code == "no-token"
            ? "\(message.excerpt) Name its configuration with --config" : message.excerpt
    }
}
