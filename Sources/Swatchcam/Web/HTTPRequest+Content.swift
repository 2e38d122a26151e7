import FlyingFox
import Foundation

extension HTTPRequest {
    /// The value of a name in the query; the first counts.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The body, which is JSON by its own word.
    /// - Throws: A `Refusal` when it is something else.
    func json() async throws -> Data {
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/json" else {
            throw Refusal(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON, as Content-Type: application/json.")
        }
        return try await body(upTo: RequestGuard.longestBody)
    }

    /// The body, whole. It is there already: the server reads it before anybody is asked.
    /// - Throws: A `Refusal` when it is longer.
    func body(upTo limit: Int) async throws -> Data {
        guard bodySequence.count ?? .max <= limit else { throw Refusal.tooLarge(limit) }
        return try await bodyData
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
