import Dashboard

/// Why a request was refused, as every route says it.
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

    /// Nil: it is not Swatchcam's.
    init?(_ answer: StatusAnswer) {
        guard answer.status != 200, let content = answer.decoded(as: Document.self)?.error else { return nil }
        (code, message) = (content.code, content.message)
    }

    /// The reason, and what to do.
    var advice: String {
        code == "wrong-token" || code == "no-token"
            ? "\(message.piece) Name its configuration with --config" : message.piece
    }
}
