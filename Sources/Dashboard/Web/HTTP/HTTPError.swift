import FlyingFox
import FoundationEssentials

/// An error for a client: a status, a code for programs and a sentence for people.
struct HTTPError: Error, Equatable, Sendable {
    var status: HTTPStatusCode
    /// A code in lower case with hyphens, such as `not-found`, which is part of the API.
    var code: String
    var message: String
    /// Further headers of the response, such as the methods that a route allows.
    var headers: [HTTPHeader: String] = [:]
    /// Whether the response ends the connection, because the following bytes cannot be trusted or should not be read.
    var closesConnection = false

    /// The response, with the body `{"error":{"code":...,"message":...}}`.
    var response: HTTPResponse {
        var response = HTTPResponse.json(["error": ["code": code, "message": message]], status: status)
        for (name, value) in headers { response.headers[name] = value }
        if closesConnection { response.headers[.connection] = "close" }
        return response
    }
}

extension HTTPError {
    static let notFound = notFound(code: "not-found", "There is nothing at this address.")

    static func badRequest(code: String, _ message: String) -> HTTPError {
        HTTPError(status: .badRequest, code: code, message: message)
    }

    static func notFound(code: String, _ message: String) -> HTTPError {
        HTTPError(status: .notFound, code: code, message: message)
    }

    static func conflict(code: String, _ message: String) -> HTTPError {
        HTTPError(status: .conflict, code: code, message: message)
    }

    /// - Parameter time: The time after which the client should try again, in seconds; nil if that is not known.
    static func unavailable(code: String, _ message: String, retryAfter time: Int? = nil) -> HTTPError {
        HTTPError(
            status: .serviceUnavailable, code: code, message: message,
            headers: time.map { [.retryAfter: "\($0)"] } ?? [:])
    }
}
