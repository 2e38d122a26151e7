import FlyingFox
import Foundation

extension HTTPRequest {
    /// The body, which is JSON by its own word.
    /// - Throws: A `Refusal` when it is something else; whatever reading it throws.
    func json() async throws -> Data {
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/json" else {
            throw Refusal(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON, as Content-Type: application/json.")
        }
        return try await bodyData
    }
}
