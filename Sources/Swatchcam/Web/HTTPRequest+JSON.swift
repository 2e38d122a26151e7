import FlyingFox
import Foundation

extension HTTPRequest {
    /// A route has an answer in time, whatever its client does.
    private static let patience = Duration.milliseconds(1500)

    /// The body, which is JSON by its own word.
    /// - Throws: A `Refusal` when it is something else, or does not come.
    func json() async throws(Refusal) -> Data {
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/json" else {
            throw Refusal(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON, as Content-Type: application/json.")
        }
        return try await body(upTo: RequestGuard.longestBody)
    }

    /// The body, whole.
    /// - Throws: A `Refusal` when it is longer, or does not come.
    func body(upTo limit: Int) async throws(Refusal) -> Data {
        guard bodySequence.count ?? .max <= limit else { throw .tooLarge(limit) }
        guard let body = await answer(within: Self.patience, { try? await bodyData }) ?? nil else {
            throw Refusal(
                status: HTTPStatusCode(408, phrase: "Request Timeout"), code: "slow-body",
                message: "The body of the request did not come in time.", closesConnection: true)
        }
        return body
    }
}

extension Refusal {
    /// A body of more bytes than a limit, or of a length that is not told.
    static func tooLarge(_ limit: Int) -> Refusal {
        Refusal(
            status: .payloadTooLarge, code: "body-too-large",
            message: "Send at most \(limit) bytes, with a Content-Length and without a Transfer-Encoding.",
            closesConnection: true)
    }
}
