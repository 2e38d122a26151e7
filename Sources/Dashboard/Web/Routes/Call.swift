import Documents
import FlyingFox
import FoundationEssentials
import Untrusted

/// A request that may use its route.
struct Call: Sendable {
    let request: HTTPRequest
    let client: Client
    /// The client with its rights; at an open route, one that may only read.
    let principal: Principal
    let route: Route
    /// What the path has in place of the name in braces, as it was sent, without decoding.
    let name: Substring

    /// The name without its percent encoding; nil if that is wrong, or if the name is not safe to compare: nothing has
    /// such a name.
    var decodedName: Name? {
        let path = URLComponents(string: "/\(name)", encodingInvalidCharacters: false)?.path
        return path.flatMap { $0.isStreamSafe ? Name(String($0.dropFirst())) : nil }
    }

    /// The name as the number of a sample or a mark; nil unless it is written as the API writes it.
    var number: Int? { Int(name).flatMap { String($0).utf8.elementsEqual(name.utf8) ? $0 : nil } }
}

/// Reading the body from the connection.
extension Call {
    /// Reads the body and decodes it from JSON.
    /// - Parameters:
    ///   - keys: The keys that the object may have; nil for any. A misspelt key is an error.
    ///   - maxValues: The maximum number of values, including names.
    ///   - refusal: The error for a body within the limits that is not JSON of this type.
    /// - Throws: `refusal`, or another `HTTPError` if the body is not declared as JSON, exceeds a limit or does not
    ///   arrive.
    func json<Value: Decodable>(
        _ type: Value.Type, keys: [String]? = nil, maxValues: Int = JSONLimits.maxValues, orRefuse refusal: HTTPError
    ) async throws -> Value {
        guard request.mediaType == "application/json" else {
            throw HTTPError(
                status: .unsupportedMediaType, code: "not-json",
                message: "Send JSON with Content-Type: application/json.")
        }
        let json = try await body()
        guard JSONLimits.allows(json, maxValues: maxValues) else {
            throw HTTPError.badRequest(
                code: "bad-json",
                "This JSON is nested more than \(JSONLimits.maxDepth) deep, contains more than "
                    + "\(maxValues) values or a string of more than \(JSONLimits.maxStringLength) characters, "
                    + "or is not in UTF-8.")
        }
        guard let value = try? JSONDecoder().decode(type, from: json) else { throw refusal }
        if let keys {
            let object = try? JSONDecoder().decode([String: AnyValue].self, from: json)
            guard let object, object.keys.allSatisfy(keys.contains) else { throw refusal }
        }
        return value
    }

    /// Reads the body, a JSON object with one key and a text.
    func text(_ key: String, orRefuse refusal: HTTPError) async throws -> String {
        let object = try await json([String: String].self, orRefuse: refusal)
        guard object.count == 1, let text = object[key] else { throw refusal }
        return text
    }

    /// Reads the whole body from the connection, which is possible only once.
    /// - Parameter limit: The maximum length in bytes; nil for that of the route.
    /// - Throws: An `HTTPError` if the body is longer than the limit, has no declared length, or does not arrive.
    func body(upTo limit: Int? = nil) async throws -> Data {
        let limit = limit ?? route.maxBodyLength
        guard request.bodySequence.count ?? .max <= limit else { throw HTTPError.tooLarge(limit) }
        do {
            return try await request.bodyData
        } catch {
            throw HTTPError(
                status: .requestTimeout, code: "incomplete-body",
                message: "The body of the request was incomplete, or did not arrive in time.",
                closesConnection: true)
        }
    }
}

extension HTTPError {
    /// Returns the error for a body of more bytes than the limit, or whose length is not specified.
    static func tooLarge(_ limit: Int) -> HTTPError {
        HTTPError(
            status: .payloadTooLarge, code: "body-too-large",
            message: "Send at most \(limit) bytes, with a Content-Length and without a Transfer-Encoding.",
            closesConnection: true)
    }
}

/// Any value of an object whose keys alone matter.
private struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
}
