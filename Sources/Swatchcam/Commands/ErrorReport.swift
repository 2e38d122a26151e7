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
    /// The reason for the refusal, and what to do, on one printable line.
    let message: String

    /// Creates a report from a response; nil if it is not a refusal from Swatchcam.
    init?(_ response: StatusResponse) {
        guard response.status != 200, let content = response.decoded(as: Document.self)?.error else { return nil }
        (code, message) = (content.code, content.message.excerpt)
    }

    /// Whether the request had no token, or one that the instance does not accept.
    var concernsToken: Bool { code == "no-token" || code == "wrong-token" }
}
