import FlyingFox
import FoundationEssentials
import Untrusted

/// Reading the body from the connection.
extension HTTPRequest {
    /// Reads the body and decodes it from JSON.
    /// - Parameter refusal: The error for a body within the limits that is not JSON of this type.
    /// - Throws: `refusal`, or another `HTTPError` if the body is not declared as JSON, exceeds a limit or does not
    ///   arrive.
    func json<Value: Decodable>(_ type: Value.Type, orRefuse refusal: HTTPError) async throws -> Value {
        let json = try await json()
        guard JSONLimits.allows(json) else { throw HTTPError.tooMuchJSON }
        guard let value = try? JSONDecoder().decode(type, from: json) else { throw refusal }
        return value
    }

    /// Reads the body of a request that declares it as JSON.
    private func json() async throws -> Data {
        guard mediaType == "application/json" else {
            throw HTTPError(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON with Content-Type: application/json.")
        }
        return try await body(upTo: RequestGuard.maxBodyLength)
    }

    /// Reads the whole body from the connection, which is possible only once.
    /// - Parameter limit: The maximum length in bytes.
    /// - Throws: An `HTTPError` if the body is longer than the limit, has no declared length, or does not arrive.
    func body(upTo limit: Int) async throws -> Data {
        guard bodySequence.count ?? .max <= limit else { throw HTTPError.tooLarge(limit) }
        do {
            return try await bodyData
        } catch {
            throw HTTPError.incompleteBody
        }
    }
}

extension HTTPError {
    /// Returns the error for a body that is too long, or whose length is not specified.
    /// - Parameter limit: The maximum length in bytes.
    static func tooLarge(_ limit: Int) -> HTTPError {
        HTTPError(
            status: .payloadTooLarge, code: "body-too-large",
            message: "Send at most \(limit) bytes, with a Content-Length and without a Transfer-Encoding.",
            closesConnection: true)
    }

    fileprivate static let tooMuchJSON = HTTPError(
        status: .badRequest, code: "bad-json",
        message:
            "This JSON is nested more than \(JSONLimits.maxDepth) deep, contains more than \(JSONLimits.maxValues) "
            + "values or a string of more than \(JSONLimits.maxStringLength) characters, or is not in UTF-8.")

    fileprivate static let incompleteBody = HTTPError(
        status: .requestTimeout, code: "incomplete-body",
        message: "The body of the request was incomplete, or did not arrive in time.",
        closesConnection: true)
}
