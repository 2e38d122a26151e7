import Dashboard

/// The health that `/healthz` reports.
struct HealthReport {
    private struct Document: Decodable {
        var status: String
    }

    /// The reason why the instance is not healthy; nil if it is.
    private let problem: ErrorReport?

    /// Creates a report from a response; nil if it is not from Swatchcam.
    init?(_ response: StatusResponse) {
        if response.status == 200, response.decoded(as: Document.self)?.status == "ok" {
            problem = nil
        } else if response.status == 503, let report = ErrorReport(response) {
            problem = report
        } else {
            return nil
        }
    }

    var isHealthy: Bool { problem == nil }
    var verdict: String { isHealthy ? "healthy" : "not healthy" }

    /// The verdict and its reason, each on its own line.
    var text: String { ([verdict] + [problem?.message].compactMap(\.self)).joined(separator: "\n") }
}
