import Dashboard

/// The health that `/healthz` reports.
struct HealthReport {
    private struct Document: Decodable {
        var status: String
    }

    /// The reason why the instance is not healthy; nil if it is.
    private let problem: ErrorReport?

    /// Creates a report from a response; nil if it is not from Swatchcam.
    init?(_ answer: StatusResponse) {
        if answer.status == 200, answer.decoded(as: Document.self)?.status == "ok" {
            problem = nil
        } else if answer.status == 503, let report = ErrorReport(answer) {
            problem = report
        } else {
            return nil
        }
    }

    var isWell: Bool { problem == nil }
    var verdict: String { isWell ? "healthy" : "not healthy" }

    /// The verdict and its reason, each on its own line.
    var text: String { ([verdict] + [problem?.message.piece].compactMap(\.self)).joined(separator: "\n") }
}
