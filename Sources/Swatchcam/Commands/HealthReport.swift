import Dashboard

/// What `/healthz` says.
struct HealthReport {
    private struct Document: Decodable {
        var status: String
    }

    /// Why it is not well; nil if it is.
    private let problem: ErrorReport?

    /// Nil: it is not Swatchcam's.
    init?(_ answer: StatusAnswer) {
        if answer.status == 200, answer.decoded(as: Document.self)?.status == "ok" {
            problem = nil
        } else if answer.status == 503, let report = ErrorReport(answer) {
            problem = report
        } else {
            return nil
        }
    }

    var isWell: Bool { problem == nil }
    var verdict: String { isWell ? "well" : "not well" }

    /// The verdict and its reason, in a line each.
    var text: String { ([verdict] + [problem?.message.piece].compactMap(\.self)).joined(separator: "\n") }
}
